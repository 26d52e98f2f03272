"""Why a path is refused."""

from pathlib import Path

import pytest

from holdpoint.domains.shell.safe_paths import OutsideError, place


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("a\0b", "`a␀b` holds a NUL character: no file has such a name."),
        ("../b", "`../b` may not contain `..`: name the path itself."),
        ("/etc/passwd", "`/etc/passwd` lies outside of the working folder /srv."),
    ],
)
def test_the_refusal_says_what_is_wrong_with_the_path(path: str, why: str) -> None:
    with pytest.raises(OutsideError) as caught:
        place(path, (Path("/srv"),))

    assert str(caught.value) == why
