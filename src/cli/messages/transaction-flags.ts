import { parseDuration } from '../input/durations.js'
import { switchFlag, textFlag } from '../input/flags.js'
import { REASON_FLAG } from '../input/reason-flag.js'

/** Flags of a request that changes nothing. */
export const ASKING_FLAGS = {
  timeout: textFlag('DURATION', 'Wait this long for the reply, shorter than T3.'),
}

/** Flags of a message or command that is sent. */
export const TRANSACTION_FLAGS = {
  ...ASKING_FLAGS,
  ...REASON_FLAG,
  'idempotency-key': textFlag(
    'KEY',
    'A repeat with the same key sends nothing and gets the first response. Kept for 24 hours.',
  ),
}

export const NO_WAIT = switchFlag('Do not wait for the reply; it is still recorded.')

/** `--timeout` as the API's query, in seconds. */
export const timeoutGiven = (timeout: string | undefined): { readonly timeout?: number } =>
  timeout === undefined ? {} : { timeout: parseDuration(timeout, '--timeout') / 1000 }
