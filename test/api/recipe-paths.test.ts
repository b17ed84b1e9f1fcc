import { afterAll, beforeAll, expect, test } from 'vitest'
import { GatewayClient } from '../../src/client/client.js'
import { endpoints } from '../../src/contract/endpoints.js'
import { ServedGateway } from '../support/served-gateway.js'
import { LOOPBACK } from '../support/tcp.js'

const asked: string[] = []
let client: GatewayClient
let engineer: GatewayClient
let close: () => Promise<void>

beforeAll(async () => {
  const gateway = new ServedGateway()
  const { fetchRecipe } = gateway.handlers
  gateway.handlers = {
    ...gateway.handlers,
    fetchRecipe: (call, parts) => {
      asked.push(call.params.ppid)
      return fetchRecipe(call, parts)
    },
  }
  const app = await gateway.app()
  const url = await app.listen({ host: LOOPBACK, port: 0 })
  client = new GatewayClient({ url, token: await gateway.tokenOf('viewer') })
  engineer = new GatewayClient({ url, token: await gateway.tokenOf('engineer') })
  close = () => app.close()
})
afterAll(() => close())

test.each(['A/B', '..', '.', '%2F', 'a b', 'é\u0001\u007f', '?x=1#y', '配方', 'ü'.repeat(256)])(
  'a PPID %j comes through a path as it is',
  async (ppid) => {
    asked.length = 0
    await client.call(endpoints.fetchRecipe, { params: { id: 'eq_1', ppid }, query: {} })
    expect(asked).toEqual([ppid])
  },
)

test.each(['fetchRecipe', 'deleteRecipe', 'endTrace'] as const)(
  'a name of only blanks in a path is refused: %s',
  async (call) => {
    asked.length = 0
    const params = { id: 'eq_1', ppid: '  ', trid: '  ' }
    const errors = [
      { pointer: call === 'endTrace' ? 'trid' : 'ppid', detail: expect.stringMatching(/^must not be blank/) },
    ]
    await expect(engineer.call(endpoints[call], { params, query: {} })).rejects.toMatchObject({
      code: 'invalid_request',
      extra: { errors },
    })
    expect(asked).toEqual([])
  },
)
