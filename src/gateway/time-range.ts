/** An RFC 3339 time, in any offset, as the UTC with milliseconds that records carry. */
export const timeOf = (given: string | undefined): string | undefined =>
  given === undefined ? undefined : new Date(given).toISOString()
