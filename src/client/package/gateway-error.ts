/** The gateway refused a call, or failed: the problem of its response (RFC 9457). */
export class GatewayError extends Error {
  override readonly name = 'GatewayError'

  constructor(
    /** HTTP status. */
    readonly status: number,
    /** Such as `equipment_not_connected`; the OpenAPI document lists them. Undefined where no gateway responded. */
    readonly code: string | undefined,
    detail: string,
    /** The whole problem, with members such as `errors` and `message_id`. */
    readonly problem: Readonly<Record<string, unknown>>,
    /** Seconds after which the call may be repeated. */
    readonly retryAfter: number | undefined,
  ) {
    super(detail)
  }
}

/** No gateway responds at the URL. A call that sends a message may have been carried out. */
export class GatewayUnreachable extends Error {
  override readonly name = 'GatewayUnreachable'

  constructor(
    readonly url: string,
    cause: unknown,
  ) {
    super(`No gateway responds at ${url}`, { cause })
  }
}

/** The error that a response is. */
export function refusal(status: number, text: string, retryAfter: string | null = null): GatewayError {
  const problem = objectIn(text)
  const { code, detail } = problem
  const seconds = Number(retryAfter)
  return new GatewayError(
    typeof problem['status'] === 'number' ? problem['status'] : status,
    typeof code === 'string' ? code : undefined,
    typeof detail === 'string' ? detail : `The server is not a gateway: it responded with ${status}.`,
    problem,
    retryAfter !== null && seconds > 0 ? seconds : undefined,
  )
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
