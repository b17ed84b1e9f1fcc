import type { AnyEndpoint, Call, Reply } from '../../src/contract/endpoint.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { Accepted } from '../../src/gateway/handler.js'
import { handlers } from '../../src/gateway/handlers.js'
import type { KeyedRequest } from '../../src/gateway/idempotency/idempotency.js'
import type { Gateway } from '../../src/gateway/open-gateway.js'
import { ADA } from './live-gateway.js'

type Rows = typeof endpoints
type Handle = (call: object, gateway: Gateway) => Promise<unknown>

/** The endpoints of a gateway as functions, without HTTP and without validation. Ada is who calls. */
export type Calls = {
  readonly [Name in keyof Rows]: (
    params: Call<Rows[Name]>['params'],
    given?: Partial<Pick<Call<Rows[Name]>, 'query' | 'body'>> & { readonly request?: KeyedRequest },
  ) => Promise<Reply<Rows[Name]>>
}

export const callsOf = (gateway: Gateway): Calls => {
  const call =
    (name: keyof Rows) =>
    async (
      params: object,
      {
        query = {},
        body = {},
        request,
      }: Partial<Call<AnyEndpoint>> & { readonly request?: KeyedRequest } = {},
    ): Promise<unknown> => {
      const handle = handlers[name] as Handle
      const { timeout } = query as { readonly timeout?: number }
      const send = { timeout, request, sentBy: ADA.email }
      const result = await handle({ params, query, body, send, caller: ADA }, gateway)
      return result instanceof Accepted ? result.body : result
    }
  const names = Object.keys(endpoints) as (keyof Rows)[]
  return Object.fromEntries(names.map((name) => [name, call(name)])) as Calls
}
