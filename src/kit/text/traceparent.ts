/** Version, trace id, parent id and flags of W3C Trace Context; a later version may have more after a hyphen. */
const FORM = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** The header as it is recorded: a valid one, in the form of version 00. Undefined for every other text, and for none. */
export function traceparentOf(header: unknown): string | undefined {
  if (typeof header !== 'string' || header.length > 512) return undefined
  const [, version, trace, parent, flags = '', more] = FORM.exec(header.trim()) ?? []
  if (version === undefined || (version === '00' && more !== undefined)) return undefined
  // Of a later version only the flag `sampled` is known.
  const known = version === '00' ? flags : `0${Number.parseInt(flags, 16) & 1}`
  return `00-${trace}-${parent}-${known}`
}

/** A member `traceparent`, where there is one. */
export const tracedBy = (traceparent: string | undefined): { readonly traceparent?: string } =>
  traceparent === undefined ? {} : { traceparent }
