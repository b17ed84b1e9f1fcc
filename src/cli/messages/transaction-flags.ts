import { Flags } from '@oclif/core'
import { parseDuration } from '../input/durations.js'
import { REASON_FLAG } from '../input/reason-flag.js'

/** Flags of a request that changes nothing. */
export const ASKING_FLAGS = {
  timeout: Flags.string({ helpValue: 'DURATION', summary: 'Wait less than T3 for the reply.' }),
}

/** Flags of a message or command that is sent. */
export const TRANSACTION_FLAGS = {
  ...ASKING_FLAGS,
  ...REASON_FLAG,
  'idempotency-key': Flags.string({
    helpValue: 'KEY',
    summary: 'A repeat with the same key sends nothing and gets the first answer. Kept for 24 hours.',
  }),
}

export const NO_WAIT = Flags.boolean({
  summary: 'Do not wait for the reply; it is still recorded.',
})

/** `--timeout` as the API's query, in seconds. */
export const timeoutGiven = (timeout: string | undefined): { readonly timeout?: number } =>
  timeout === undefined ? {} : { timeout: parseDuration(timeout, '--timeout') / 1000 }
