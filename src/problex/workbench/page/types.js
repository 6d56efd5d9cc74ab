/**
 * The values that the server sends, for the type checker. Nothing here runs.
 * @typedef {{label: string, documents: number}} LabelCount
 * @typedef {{coverage: number, undecided: number, documents: number, entries: number, used:
 *   number, unseen: number, labels: LabelCount[], undecided_share: number, fallback: string|null, balance:
 *   string|null, threshold_source: string}} Figures
 * @typedef {{id: string, kind: string, state: "running"|"done"|"failed"|"cancelled", done: number, total:
 *   number|null, unit: string, message: string, seconds: number, error: string|null, result: any}} Job
 * @typedef {{name: string, documents: number, tokens: number, missing: number, invalid: number, empty: number,
 *   sampled_from: number|null, columns: string[], id: string|null, group_by: string|null, text: string|null}} Texts
 * @typedef {{title: string, file: string, folder: string, created: string, with_texts: boolean, read_only:
 *   string|null}} Session
 * @typedef {{version: string, ready: boolean, job: Job|null, lists: string[], revision: number, state: number,
 *   undo: boolean, redo: boolean, figures: Figures, texts: Texts, session: Session|null, notes: string[], audit:
 *   {open: boolean, labelled: number, size: number}|null, doctor: {revision: number|null, running: boolean}}} State
 * @typedef {{word: string, old: string|null, new: string|null}} Edit
 * @typedef {{label: string, score: number}} Scored
 * @typedef {{documents: number}} Changed
 * @typedef {{edges: number[], counts: Record<string, number[]>, undecided: number, score: string}} Histogram
 * @typedef {{row: number, id: string, score: number|null, probability: number|null, label: string|null, group:
 *   string|null, text: string, old: Scored|null}} DocumentLine
 * @typedef {{row: number, id: string, left: string, word: string, right: string, score: number|null, label:
 *   string|null, negated: boolean}} KwicLine
 * @typedef {{text: string, entries: string[], towards: string|null, contribution: number, intensity: number,
 *   phrase: boolean, negated: boolean}} Piece
 * @typedef {{id: string, kind: string, text: string, words: string[], edits: Edit[], sentence: string, gain:
 *   number|null, contexts: string[], section: string}} Suggestion
 * @typedef {{number: number, at: string, tab: string, kind: string, text: string, state: number, parent:
 *   number|null, figures: {coverage: number, undecided: number}, on_path: boolean}} Step
 * @typedef {{done: true}|{done: false, row: number, id: string, text: string, position: number, of: number}}
 *   NextDocument
 * @typedef {{id: number, size: number, labelled: number, unsure: number, left: number, classes: string[],
 *   revision: number, state: number, now: number, width: number|null, target: number|null, revealed: boolean, looks:
 *   number, note: string|null, seed: number, used: boolean}} Audit
 *
 * What a screen is, and what it gets and gives back.
 * @typedef {{path: string[], query: URLSearchParams}} Place
 * @typedef {{refresh?: (what: string, detail?: any) => void, close?: () => void, back?: () => void}} Opened
 * @typedef {{name: string, title: string, key: string, icon: string, needs: boolean, full?: boolean, hints:
 *   Record<string, string>, open: (root: HTMLElement, place: Place) => Opened|void|Promise<Opened|void>}} Screen
 */
export {};
