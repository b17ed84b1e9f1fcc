import { expect, test } from 'vitest'
import { runCommand } from '../../support/command.js'
import { REPLIES } from '../../support/example-gateway.js'
import { FakeGateway, served } from '../../support/fake-gateway.js'

let standby = false
const gateway = new FakeGateway({
  'GET /nodes': () => {
    const [node] = (REPLIES.listNodes as { readonly items: readonly object[] }).items
    const drained = { ...node, url: gateway.url, draining: true, equipment: 0, has_site_duties: false }
    return { body: { items: [drained], next_cursor: null } }
  },
  'GET /readyz': () => ({ body: { status: 'ok', standby } }),
})
served(gateway)

test.each([
  ['standby', true],
  ['drained', false],
])('a daemon without equipment that takes none is shown as %s', async (state, isStandby) => {
  standby = isStandby
  const { stdout } = await runCommand(['daemon', 'nodes'], { gateway })
  expect(stdout.split('\t')[1]).toBe(state)
})
