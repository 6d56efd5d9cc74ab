"""The workbench: a local page on which a person builds, checks and audits a lexicon.

`server` answers the page, which is in `page`. `bench` has the texts, the lexicon and the model, `steps` and `session`
the log and its file, `views` what each screen shows, `export` the files that are taken away.
"""
