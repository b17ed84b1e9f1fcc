import type { AnyEndpoint } from './endpoint.js'

/**
 * Which of several daemons over one store carries out a call. `owner`: the one that drives the equipment in its path.
 * `site`: the one that has the duties of the whole site. `anywhere`: each.
 */
export type CarriedOut = 'owner' | 'site' | 'anywhere'

/** Calls about one equipment that are answered from what is recorded. */
const RECORDED: ReadonlySet<string> = new Set([
  '/equipment/{id}',
  '/equipment/{id}/messages/preview',
  '/equipment/{id}/performance',
  '/equipment/{id}/reports',
  '/equipment/{id}/substrates/{substrate}/history',
  '/equipment/{id}/traces',
  '/equipment/{id}/variables/history',
])

/** A new endpoint with an equipment in its path is its owner's; logins are counted in one place, and sinks delivered by one daemon. */
export function carriedOutBy({ isSafe, path, errors }: AnyEndpoint): CarriedOut {
  if (path.startsWith('/equipment/{id}')) return isSafe && RECORDED.has(path) ? 'anywhere' : 'owner'
  if (path.startsWith('/sinks')) return 'site'
  const provesPassword = errors.includes('invalid_credentials') || errors.includes('wrong_password')
  return provesPassword ? 'site' : 'anywhere'
}
