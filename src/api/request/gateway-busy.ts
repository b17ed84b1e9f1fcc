import { Problem } from '../../contract/errors.js'

/** Seconds after which a client may try again. */
const RETRY_AFTER = 5

export const gatewayBusy = (): Problem =>
  new Problem(
    'gateway_busy',
    'The gateway works on as many long requests as it has memory for. Nothing was done. Try again later.',
    { retry_after: RETRY_AFTER },
  )
