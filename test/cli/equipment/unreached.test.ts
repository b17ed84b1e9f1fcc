import { afterAll, expect, test } from 'vitest'
import { namesOf } from '../../../src/cli/equipment/unreached.js'
import { FakeGateway } from '../../support/fake-gateway.js'
import { sampleEquipment } from '../../support/sample-equipment.js'
import { Secsctl } from '../../support/secsctl.js'

const secsctl = new Secsctl()
afterAll(() => secsctl.remove())

const all = Array.from({ length: 7 }, (_, at) => sampleEquipment({ id: `eq_${at}`, name: `tool${at}` }))

/** Runs a command against a gateway that ends at the first call about an equipment. */
async function runDying(...args: string[]) {
  const end = () => {
    void gateway.close()
    return {}
  }
  const changes = all.flatMap(({ id }) => [
    [`POST /equipment/${id}/connect`, end] as const,
    [`POST /equipment/${id}/disconnect`, end] as const,
  ])
  const gateway: FakeGateway = new FakeGateway({
    'GET /equipment': () => ({ body: { items: all, next_cursor: null } }),
    'GET /events': () => ({ body: { items: [], next_cursor: null } }),
    ...Object.fromEntries(changes),
  })
  const url = await gateway.listen()
  return secsctl.run(args, { env: { SECSCTL_URL: url, SECSCTL_TOKEN: 'secret' } })
}

test.each([
  [['equipment', 'connect', '--all', '--wait', '5s'], 'Not connected'],
  [['equipment', 'connect', '--all', '--wait', '0s'], 'Not connected'],
  [['equipment', 'disconnect', '--all', '--yes'], 'Not disconnected'],
])(
  '%j says once that no gateway answers, and for which equipment nothing was done',
  async (args, verdict) => {
    const { code, stdout, stderr } = await runDying(...args)
    expect({ code, stdout }).toEqual({ code: 6, stdout: '' })
    expect(stderr.match(/No gateway responds/g)).toHaveLength(1)
    expect(stderr).toContain(`\n${verdict}: tool0, tool1, tool2, tool3, tool4 and 2 more.\n`)
    expect(stderr).toContain('Try: curl -v http://127.0.0.1:')
  },
)

test('five names are listed in full', () => {
  expect(namesOf(all.slice(0, 5))).toBe('tool0, tool1, tool2, tool3, tool4')
})
