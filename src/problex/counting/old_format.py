"""Reading logs of predictions that earlier versions wrote."""

from __future__ import annotations
