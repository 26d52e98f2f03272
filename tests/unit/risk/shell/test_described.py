"""Plays and manifests count for what they bring about; modules of the kernel for what they are."""

from tests.unit.risk.shell.levels import level

from holdpoint.core.risk.shell.carriers import manifests, plays
from holdpoint.messages.risk import RiskLevel

PLAY = (
    "- hosts: all\n  tasks:\n    - name: {name}\n      {module}:\n        {said}\n      when: x\n"
)
BINDING = """kind: {kind}
metadata:
  name: a
roleRef:
  kind: ClusterRole
  name: {role}
subjects:
- kind: Group
  name: {whom}
"""
RUN = (
    "cat > a.yml <<'E'\n{}\nE\nansible-playbook -i hosts a.yml",
    "printf '%s' '{}' > a.yml; ansible-playbook a.yml",
)
APPLIED = ("kubectl apply -f - <<'E'\n{}\nE", "cat > a.yaml <<'E'\n{}\nE\nkubectl apply -f a.yaml",
           "oc create -f - <<'E'\n{}\nE")  # fmt: skip


def test_a_play_is_read_as_the_orders_that_it_stands_for() -> None:
    grave = PLAY.format(
        name="a", module="ansible.builtin.user", said="name: anna\n        state: absent"
    )
    inline = PLAY.replace("{module}:\n        {said}", "file: path=/srv/a state=absent").format(
        name="b"
    )
    assert plays(grave) == ["ansible all -m ansible.builtin.user -a 'name=anna state=absent'"]
    assert plays(inline) == ["ansible all -m file -a 'path=/srv/a state=absent'"]
    mild = PLAY.format(name="a", module="file", said="path: /tmp/a\n        state: absent")
    kept = PLAY.format(name="a", module="apt", said="name: nginx\n        state: present")
    assert plays(mild) == plays(kept) == []
    for shape in RUN:
        for play in (grave, inline):
            assert level(shape.format(play)) >= RiskLevel.HIGH, play
        for play in (mild, kept):
            assert level(shape.format(play)) < RiskLevel.HIGH, play
    asked = RUN[0].replace("playbook", "playbook --syntax-check").format(grave)
    assert level(asked) < RiskLevel.HIGH
    assert level(f"cat > a.yml <<'E'\n{grave}\nE\ncat a.yml") < RiskLevel.HIGH


def test_a_binding_is_read_as_the_order_that_makes_it() -> None:
    for kind, role, whom, is_grave in (
        ("ClusterRoleBinding", "view", "system:unauthenticated", True),
        ("RoleBinding", "edit", "system:anonymous", True),
        ("ClusterRoleBinding", "cluster-admin", "ops", True),
        ("ClusterRoleBinding", "view", "ops", False),
        ("ConfigMap", "cluster-admin", "ops", False),
    ):
        text = BINDING.format(kind=kind, role=role, whom=whom)
        assert bool(manifests(text)) == ("Binding" in kind), kind
        for shape in APPLIED:
            assert (level(shape.format(text)) >= RiskLevel.HIGH) == is_grave, (shape, text)
        dry = APPLIED[0].format(text).replace("apply", "apply --dry-run=client")
        assert level(dry) < RiskLevel.HIGH


LOADS = (
    "insmod a.ko", "insmod ./b/net.ko debug=1", "modprobe evil", "modprobe -v evil x=1",
    "modprobe -a nf_conntrack evil", "kextload /tmp/a.kext", "sudo insmod /tmp/vfat.ko",
)  # fmt: skip
USUAL = (
    "modprobe nf_conntrack", "modprobe br_netfilter", "modprobe overlay", "modprobe vfat", "lsmod",
    "modprobe -n evil", "modprobe --show-depends evil", "modinfo evil", "modprobe usb-storage",
    "insmod /lib/modules/6.1.0/kernel/net/a.ko", "modprobe", "modprobe dm_crypt", "modprobe $m",
    "modprobe v4l2loopback devices=2",
)  # fmt: skip


def test_what_nobody_knows_is_not_loaded_into_the_kernel_unasked() -> None:
    for text in LOADS:
        assert level(text) >= RiskLevel.HIGH, text
    for text in USUAL:
        assert level(text) < RiskLevel.HIGH, text
