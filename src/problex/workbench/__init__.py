"""The workbench: a local page on which a person builds, checks and audits a lexicon.

A request goes one way: `guard` admits it, `routes` finds its function in `screens` and reads its record of `requests`,
`open_session` takes the step, whose result `results` computes and whose log `session_file` stores; the screen shows it.
The page itself is in `page`. `serve` starts the server, `server_state` has what it knows, `loading` opens sessions,
`background` does long work, `export` makes the files that are taken away.
"""
