import type { ErrorKind } from './error-kind.js'

/**
 * A command of the command line and its arguments. `EQ` is the equipment that the error is about, `SxFy` the message;
 * other words in capitals are examples.
 */
export type NextCommand = readonly [command: string, ...args: readonly string[]]

export interface ErrorRow {
  readonly status: number
  readonly kind: ErrorKind
  readonly title: string
  /** What the command line prints below the error: the first command, that which explains the error, or nothing. */
  readonly hint: 'command' | 'explain' | 'none'
  /** What to do, in words: one to four sentences. */
  readonly advice: string
  /** What to type, the most useful first. */
  readonly commands: readonly NextCommand[]
}

/** A row of the table of errors. */
export const row = (
  [status, kind, title, hint = 'command']: readonly [number, ErrorKind, string, ErrorRow['hint']?],
  advice: string,
  ...commands: readonly NextCommand[]
): ErrorRow => ({ status, kind, title, hint, advice, commands })

// Commands that several rows name.
export const LOGIN: NextCommand = ['login']
export const WHOAMI: NextCommand = ['whoami']
export const KEYS: NextCommand = ['keys', 'list']
export const API: NextCommand = ['api', 'GET', '/api/docs']
export const SHOW: NextCommand = ['equipment', 'show', 'EQ']
export const LIST: NextCommand = ['equipment', 'list']
export const LAST: NextCommand = ['messages', 'list', '--equipment', 'EQ', '--limit', '5']
export const RECENT: NextCommand = ['messages', 'list', '--limit', '5']
export const LOGS: NextCommand = ['daemon', 'logs']
export const NODES: NextCommand = ['daemon', 'nodes']
export const SINKS: NextCommand = ['sinks', 'list']

/** Errors of records that are identified by their names: users, API keys and sinks. */
export const NAMED_MISSING = {
  user_not_found: row(
    [404, 'missing', 'There is no such user'],
    'A user is identified by the email or the id.',
    ['users', 'list'],
  ),
  key_not_found: row(
    [404, 'missing', 'There is no such API key'],
    'An API key is identified by the name or the id. A revoked key is no longer in the list.',
    KEYS,
  ),
  sink_not_found: row(
    [404, 'missing', 'There is no such sink'],
    'A sink is identified by the name or the id. The list has all of them.',
    SINKS,
  ),
  node_not_found: row(
    [404, 'missing', 'There is no such daemon'],
    'A daemon is identified by the name or the id. One that has stopped cannot be drained; it drives nothing.',
    NODES,
  ),
} satisfies Record<string, ErrorRow>

export const NAMED_TAKEN = {
  email_taken: row(
    [409, 'state', 'The email is already in use', 'none'],
    'Another user has this email. Change that user, or choose another email.',
    ['users', 'list'],
  ),
  key_name_taken: row(
    [409, 'state', 'The name of the API key is already in use'],
    'Another API key has this name; an expired key keeps its name until it is revoked. Revoke that key, or choose another name.',
    KEYS,
  ),
  sink_name_taken: row(
    [409, 'state', 'The name of the sink is already in use'],
    'Another sink has this name. Choose another one, or change that sink.',
    SINKS,
  ),
} satisfies Record<string, ErrorRow>
