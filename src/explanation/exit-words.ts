import { ERRORS, type ErrorKind } from '../contract/errors.js'
import { EXIT_CODES } from './exit-codes.js'
import { advice, type Entry, type Explanation } from './explanation.js'

type Words = Pick<Explanation, 'meaning' | 'next' | 'commands'>

const exit = (meaning: string, next: string, ...commands: readonly string[]): Words => ({
  meaning,
  ...advice(next, ...commands),
})

const FAILED: Readonly<Record<ErrorKind, Words>> = {
  unexpected: exit(
    'Something unexpected, here or in the server.',
    'The error says what. DEBUG=secsctl shows where it happened; the log of the daemon has the rest.',
    'secsctl doctor',
    'secsctl daemon logs',
  ),
  usage: exit(
    'Wrong usage, or invalid input.',
    'The error names the argument, flag or field.',
    'secsctl --help',
  ),
  missing: exit(
    'There is no such thing.',
    'Look at what there is.',
    'secsctl equipment list',
    'secsctl messages list',
  ),
  access: exit(
    'Not logged in, or not allowed.',
    'See who you are there, and log in.',
    'secsctl whoami',
    'secsctl login',
  ),
  state: exit(
    'In the wrong state: not connected, connected, or a name that is taken.',
    'See where the equipment stands.',
    'secsctl equipment show EQ',
  ),
  unreachable: exit(
    'No server answers.',
    'See which server is meant, and whether it runs.',
    'secsctl doctor',
    'secsctl daemon start',
  ),
  timeout: exit(
    'Timed out: the reply (T3), --wait, events wait, or --idle-timeout.',
    'A script may try again what changes nothing. A command may have been carried out: look first.',
    'secsctl messages list --limit 5',
  ),
  equipment: exit(
    'The equipment said no or fell away: HCACK other than 0 and 4, another negative acknowledge, an answer that cannot be read, SxF0, S9, a Reject, or the link lost.',
    'The server and this program have done their part: the answer of the equipment says what it wants.',
    'secsctl messages list --limit 5',
    'secsctl explain HCACK',
  ),
  damaged: exit(
    'A file of the data folder is damaged: it is not what the gateway wrote.',
    'The daemon does not start on it, and changes nothing. See what is lost; restore a backup, or start once with --accept-loss to continue without it.',
    'secsctl journal verify',
    'secsctl daemon run --accept-loss',
  ),
}

const entry = (code: number, words: Words, facts: Entry['facts'] = []): Entry => ({
  word: `exit ${code}`,
  kind: 'exit code',
  facts,
  also: [`exit code ${code}`, String(code)],
  ...words,
})

const codesOf = (kind: ErrorKind): string =>
  Object.entries(ERRORS)
    .filter(([, error]) => error.kind === kind)
    .map(([code]) => code)
    .join(', ')

const factsOf = (kind: ErrorKind): Entry['facts'] => {
  const codes = codesOf(kind)
  return codes === '' ? [] : [['errors', codes]]
}

/** What an error says by its code where it was found here and not in the gateway, as `--json` tells it. */
export const failureWords = (): readonly Entry[] =>
  (Object.keys(FAILED) as ErrorKind[]).map((kind) => ({
    word: kind,
    kind: 'error of the command line',
    facts: [['exit code', String(EXIT_CODES[kind])]],
    also: [],
    ...FAILED[kind],
  }))

/** What each exit code tells a script. */
export const exitWords = (): readonly Entry[] => [
  entry(
    0,
    exit(
      'Done; for a message or command, the equipment accepted.',
      'Nothing is wrong here.',
      'secsctl messages list --limit 5',
    ),
  ),
  ...(Object.keys(FAILED) as ErrorKind[]).map((kind) => entry(EXIT_CODES[kind], FAILED[kind], factsOf(kind))),
  entry(
    129,
    exit(
      'The terminal was closed (SIGHUP).',
      'What the gateway was asked for goes on there. A daemon that was given a certificate ends of no SIGHUP: it reads the certificate again (systemd: systemctl reload).',
      'secsctl messages list --limit 5',
    ),
  ),
  entry(
    130,
    exit(
      'Interrupted with Ctrl-C (SIGINT).',
      'What the gateway was asked for goes on there.',
      'secsctl messages list --limit 5',
    ),
  ),
  entry(
    143,
    exit(
      'Terminated (SIGTERM).',
      'What the gateway was asked for goes on there.',
      'secsctl messages list --limit 5',
    ),
  ),
]
