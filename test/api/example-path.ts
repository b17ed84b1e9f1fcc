import type { AnyEndpoint } from '../../src/contract/endpoint.js'

/** Values for the parameters of paths, but for `id`. */
export const PARAMS: Readonly<Record<string, string>> = {
  ...{ trid: '1', ppid: 'R7', ceid: '1', rptid: '1', port: '1' },
}

/** Queries without which a call is not valid. */
const QUERIES: Readonly<Record<string, string>> = {
  'GET /equipment/{id}/objects': 'type=Substrate',
  'DELETE /equipment/{id}/objects': 'specifier=Substrate:W1',
}

/** The query of a call: what it needs, and `more`, which begins with `?` or is empty. */
export function queryOf({ method, path }: AnyEndpoint, more = ''): string {
  const needed = QUERIES[`${method} ${path}`]
  return needed === undefined ? more : `?${needed}${more.replace('?', '&')}`
}
