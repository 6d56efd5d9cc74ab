"""What each screen shows, as plain values: a module per screen. No statistics are computed in the page."""
