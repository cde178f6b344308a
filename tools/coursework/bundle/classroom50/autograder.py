"""Grades a submission to Classroom 50 with the grader of Warp by Warp that stands beside this file.

The runner starts it in the student's checkout. A grade, good or bad, ends it with 0. Anything that
is not the student's doing ends it with 1 and leaves no result.json, so that Classroom 50 reports an
error and gives no score.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
GRADER = HERE / "course/build/emulator/bin/coursework"
BUILD_SECONDS = 600  # the job ends after 15 minutes
GRADE_SECONDS = @seconds@


def fail(message):
    print(f"::error::This submission was not graded, and nobody loses points for it: {message}")
    sys.exit(1)


def run(what, command, seconds):
    try:
        status = subprocess.run(command, stdin=subprocess.DEVNULL, timeout=seconds).returncode
    except subprocess.TimeoutExpired:
        fail(f"{what} was not ready after {seconds} seconds.")
    except OSError as error:
        fail(f"{what} could not be started: {error}.")
    if status != 0:
        fail(f"{what} ended with status {status}; its message stands above.")


def remove(path):
    """Removes what a student may have put in the way: a file, a link or a folder."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def main():
    checkout = Path.cwd()
    outputs = {"result.json": checkout / "result.json", "feedback.md": checkout / "release-body.md"}
    for path in outputs.values():
        remove(path)
    run("The build of the grader", [HERE / "course/course", "bundle", "--help"], BUILD_SECONDS)
    bundle = HERE / "bundle.json"
    run("The trial of the grader",
        [GRADER, "bundle", "try", "--bundle", bundle, "--starters", HERE / "starters"],
        GRADE_SECONDS)
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder)
        run("The grader",
            [GRADER, "bundle", "grade", "classroom50", "--bundle", bundle,
             "--submission", checkout, "--out", made / "result.json",
             "--feedback", made / "feedback.md"], GRADE_SECONDS)
        for name, path in outputs.items():
            shutil.copyfile(made / name, path)


if __name__ == "__main__":
    main()
