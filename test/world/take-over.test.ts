import { expect, test } from 'vitest'
import { nextTurn } from '../../src/kit/turns.js'
import { Network } from './network.js'
import { takeOver } from './take-over.js'
import { Host, World } from './world.js'

test('a process that dies while it waits for a turn holds up no other one', async () => {
  const world = new World(1)
  takeOver(world, new Network(world))
  const [dying, other] = [new Host('dying', '10.0.0.1', world), new Host('other', '10.0.0.2', world)]
  world.at(dying, 1, () => {
    void nextTurn()
    dying.alive = false
  })
  let hadItsTurn = false
  world.at(other, 2, () => {
    void nextTurn().then(() => {
      hadItsTurn = true
    })
  })
  await world.run(10)
  expect(hadItsTurn).toBe(true)
})
