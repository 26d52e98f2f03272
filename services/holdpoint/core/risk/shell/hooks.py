"""Tools that print what a shell is to evaluate: agents, version switchers, prompts, completions."""

from holdpoint.core.risk.lexicon import word_set

_ALWAYS = word_set(
    "dircolors gdircolors ssh-agent gpg-agent keychain lesspipe lesspipe.sh vivid tset resize "
    "register-python-argcomplete"
)
_WITH_A_WORD = word_set(
    "brew pyenv rbenv nodenv goenv jenv plenv phpenv swiftenv tfenv asdf mise rtx direnv starship "
    "zoxide fnm conda mamba micromamba docker-machine minikube thefuck op opam luarocks atuin navi "
    "mcfly fzf gh hub glab kubectl helm oh-my-posh uv pipx pdm poetry pip npm volta rustup nix "
    "chef fasd jump scmpuff sheldon antibody chezmoi podman docker dinghy boot2docker perlbrew "
    "switcher kubeswitch aws-vault saml2aws tmuxifier podenv pkgx devbox flox hatch just task bw"
)
_WORDS = word_set(
    "init env hook shellenv shell.bash shell.zsh shell.posix activate completion completions "
    "completion.bash docker-env shell path signin unlock --alias alias export --eval --init - "
    "config --completion --autocomplete --bash --zsh generate-shell-completion podman-env"
)
_HARD = frozenset(";|&$`<>(){}\n\\")


def is_hook(text: str) -> bool:
    """Whether `$(…)` holds one such command and nothing else."""
    words = text.split()
    if not words or not _HARD.isdisjoint(text):
        return False
    name = words[0].rpartition("/")[2]
    if name in _ALWAYS:
        return True
    return name in _WITH_A_WORD and not _WORDS.isdisjoint(words[1:])
