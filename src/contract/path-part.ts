/**
 * A value as one part of a path. Throws a RangeError for `.` and `..`: a URL parser removes them, encoded too, and
 * the call would be one about another resource.
 */
export function pathPart(value: string): string {
  if (/^\.{1,2}$/.test(value)) throw new RangeError(`"${value}" cannot be sent as a part of a path`)
  return encodeURIComponent(value)
}
