"""One chart as a file: PNG, SVG, or an HTML page that needs no network."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from problex._util.files import check_writable, write_atomically
from problex.errors import OutputError
from problex.report.chart_style import Spec, for_file, import_vl_convert

PNG_SCALE = 2.0


def _png(spec: Spec) -> bytes:
    return bytes(import_vl_convert().vegalite_to_png(spec, scale=PNG_SCALE))


def _svg(spec: Spec) -> bytes:
    return str(import_vl_convert().vegalite_to_svg(spec)).encode()


def _html(spec: Spec) -> bytes:
    return str(import_vl_convert().vegalite_to_html(spec, bundle=True)).encode()


CHART_FORMATS: dict[str, Callable[[Spec], bytes]] = {".png": _png, ".svg": _svg, ".html": _html}
"""Suffix -> how a chart is drawn."""


def check_chart_file(path: Path, *, force: bool = False) -> None:
    """Raise if a chart cannot be written to a file, before the work begins."""
    if path.suffix.lower() not in CHART_FORMATS:
        raise OutputError(f"{path.name!r} has no known suffix for a chart, expected one of {', '.join(CHART_FORMATS)}")
    check_writable(path, force=force)
    import_vl_convert()


def write_chart(chart: Any, path: Path, *, force: bool = False) -> None:
    """Write a chart with its title, black on white."""
    check_chart_file(path, force=force)
    content = CHART_FORMATS[path.suffix.lower()](for_file(chart))
    write_atomically(path, lambda part: part.write_bytes(content), force=force)
