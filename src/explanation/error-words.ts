import { ERRORS, type ErrorCode, type ErrorKind } from '../contract/errors.js'
import { commandLine } from './command-line.js'
import { EXIT_CODES } from './exit-codes.js'
import { type Entry, words } from './explanation.js'

/** What a failure of each kind means: of the exit code, and of an error that the command line found by itself. */
export const KIND_TEXTS: Readonly<Record<ErrorKind, string>> = {
  unexpected: `Something unexpected, here or in the server.
    The error says what. DEBUG=secsctl shows where it happened; the log of the daemon has the rest.
    secsctl doctor
    secsctl daemon logs`,
  usage: `Wrong usage, or invalid input.
    The error names the argument, flag or field.
    secsctl --help`,
  missing: `There is no such thing.
    Look at what there is.
    secsctl equipment list
    secsctl messages list`,
  access: `Not logged in, or not allowed.
    See who you are there, and log in.
    secsctl whoami
    secsctl login`,
  state: `Wrong state.
    Something is not connected, is connected, is locked, or has the name already: the error says what. See the state of the equipment.
    secsctl equipment show EQ`,
  unreachable: `No server responds.
    See which server is meant, and whether it runs.
    secsctl doctor
    secsctl daemon start`,
  timeout: `Timed out.
    The error says what: a reply of the equipment (T3), --wait, events wait, or --idle-timeout. A script may repeat what changes nothing. The equipment may have done what a command says: look first.
    secsctl messages list --limit 5`,
  equipment: `The equipment refused or was lost: HCACK other than 0 and 4, another negative acknowledge, a reply that cannot be read, SxF0, S9, a Reject, or a lost connection.
    The gateway and this program have worked: the reply of the equipment says why it refused.
    secsctl messages list --limit 5
    secsctl explain HCACK`,
  damaged: `A file of the data folder is damaged: it is not what the gateway wrote.
    The daemon does not start on a damaged document or damaged newest records, and changes nothing. A file that you edited by hand: start once with --accept-edits. Else see what is lost, and restore a backup, or start once with --accept-loss to continue without it.
    secsctl journal verify
    secsctl daemon run --accept-edits
    secsctl daemon run --accept-loss`,
}

/** Exit codes that are of no error. */
const OTHER_EXITS: Readonly<Record<number, string>> = {
  0: `Done; for a message or command, the equipment accepted.
    Nothing is wrong here.
    secsctl messages list --limit 5`,
  129: `The terminal was closed (SIGHUP).
    The gateway continues what it was asked for. A daemon with a certificate does not end at SIGHUP: it reads the certificate again (systemd: systemctl reload).
    secsctl messages list --limit 5`,
  130: `Interrupted with Ctrl-C (SIGINT).
    The gateway continues what it was asked for.
    secsctl messages list --limit 5`,
  143: `Terminated (SIGTERM).
    The gateway continues what it was asked for.
    secsctl messages list --limit 5`,
}

const ROWS = Object.entries(ERRORS)
const KINDS = Object.keys(KIND_TEXTS) as ErrorKind[]

const codesWhere = (test: (row: (typeof ERRORS)[ErrorCode]) => boolean): readonly string[] =>
  ROWS.flatMap(([code, row]) => (test(row) ? [code] : []))

const exitWord = (code: number, text: string, codes: readonly string[] = []): Entry => ({
  word: `exit ${code}`,
  kind: 'exit code',
  facts: codes.length === 0 ? [] : [['errors', codes.join(', ')]],
  also: [`exit code ${code}`, String(code)],
  ...words(text),
})

function statusWord(status: number): Entry {
  const codes = codesWhere((row) => row.status === status)
  return {
    word: String(status),
    kind: 'HTTP status',
    meaning: `${codes.map((code) => ERRORS[code as ErrorCode].title).join('; ')}.`,
    facts: [['errors', codes.join(', ')]],
    also: [`HTTP ${status}`, `status ${status}`],
    next: 'The code in the body of the response says which error it is, and what to do.',
    commands: codes.map((code) => `secsctl explain ${code}`),
  }
}

/** The codes of errors, the exit codes, the errors that the command line finds by itself, and the HTTP statuses. */
export const ERROR_WORDS: readonly Entry[] = [
  ...ROWS.map(([code, { status, kind, title, advice, commands }]) => ({
    word: code,
    kind: 'error',
    meaning: `${title}.`,
    facts: [
      ['status', String(status)],
      ['exit code', String(EXIT_CODES[kind])],
    ] as const,
    also: [],
    next: advice,
    commands: commands.map((command) => commandLine(command)),
  })),
  exitWord(0, OTHER_EXITS[0] ?? ''),
  ...KINDS.map((kind) =>
    exitWord(
      EXIT_CODES[kind],
      KIND_TEXTS[kind],
      codesWhere((row) => row.kind === kind),
    ),
  ),
  ...Object.entries(OTHER_EXITS).flatMap(([code, text]) =>
    code === '0' ? [] : [exitWord(Number(code), text)],
  ),
  ...KINDS.map((kind) => ({
    word: kind,
    kind: 'error of the command line',
    facts: [['exit code', String(EXIT_CODES[kind])]] as const,
    also: [],
    ...words(KIND_TEXTS[kind]),
  })),
  ...[...new Set(ROWS.map(([, { status }]) => status))].map(statusWord),
]
