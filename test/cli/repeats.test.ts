import { expect, test } from 'vitest'
import { runCommand } from '../support/command.js'
import { FakeGateway, problem, served } from '../support/fake-gateway.js'
import { ManualClock } from '../support/manual-clock.js'
import { until } from '../support/until.js'

/** Refuses the first call of each test, and carries out the second one. */
let asked = 0
const gateway = new FakeGateway(() => {
  asked += 1
  return asked > 1
    ? { body: { id: 'eq_2', items: [], next_cursor: null } }
    : { status: 503, body: problem(503, 'gateway_busy', 'Nothing was done. Try again later.') }
})
served(gateway)

test.each([[['api', 'POST', '/equipment', '--data', '{}']], [['equipment', 'list', '--json']]])(
  '%j waits for a gateway that is busy, and says so',
  async (args) => {
    asked = 0
    const clock = new ManualClock()
    const command = runCommand(args, { gateway, clock })
    await until(() => clock.next === clock.now() + 1000)
    expect(gateway.calls).toHaveLength(1)
    clock.advance(1000)
    expect(await command).toMatchObject({
      exitCode: 0,
      stderr: 'Too many long requests at once. Nothing was done; trying again.\n',
    })
    expect(gateway.calls).toHaveLength(2)
  },
)
