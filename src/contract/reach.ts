import type { AnyEndpoint } from './endpoint.js'

/**
 * What a call is about, for callers who are restricted to some equipment. `equipment`: the one in its path. `list`:
 * records of equipment, which `label_selector` narrows. `entry`: the message or alarm in its path. `entries`: those that its body
 * names, of which the handler takes only what the caller reaches. `new`: equipment that
 * does not exist yet. `own`: the caller. `everything`: more than some equipment can show, so the call is refused.
 */
export type Reach = 'equipment' | 'list' | 'entry' | 'entries' | 'new' | 'own' | 'everything'

/** A new endpoint is refused to restricted callers unless its path or its query says what it is about. */
export function reachOf({ method, path, query }: AnyEndpoint): Reach {
  if (path.startsWith('/equipment/{id}')) return 'equipment'
  if (/^\/(messages|alarms)\/\{id\}/.test(path)) return 'entry'
  if (path === '/alarms/acknowledge' || path === '/equipment/apply') return 'entries'
  const { properties } = query as { readonly properties?: object }
  if (properties && 'label_selector' in properties) return 'list'
  if (method === 'POST' && path === '/equipment') return 'new'
  return /^\/auth\/|\/me(\/|$)/.test(path) ? 'own' : 'everything'
}
