"""The program `problex`, also as `python -m problex`.

Until a command is called, Ctrl-C ends the process at once: nothing has been read or written, and Python would show
where its imports were interrupted. `load_command` then gives Ctrl-C its usual meaning back.
"""

import _signal  # type: ignore[import-not-found]  # built in, while `signal` would import others before it is of use

if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:  # not if it is ignored, as after nohup
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)


def main() -> None:
    """Run the command line.

    What modules define stays until the end, so Python need not search it for garbage while modules are imported
    (`load_command` turns the search on again) or when the program ends. If another program calls this function, all
    objects that exist when it returns stay frozen there: `gc.unfreeze()` has them searched again.
    """
    import gc
    import os
    import sys

    gc.disable()
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")  # 2^4 cycles: NumPy's threads sleep until they are needed
    from problex.cli import main as run

    try:
        run()
    finally:
        if "duckdb" not in sys.modules:  # it prints what of its own is left when the program ends
            gc.freeze()


if __name__ == "__main__":
    main()
