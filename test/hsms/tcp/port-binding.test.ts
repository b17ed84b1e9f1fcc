import { expect, test } from 'vitest'
import type { ListenError, Listeners, Place, Seat } from '../../../src/hsms/tcp/listener.js'
import { PortBinding } from '../../../src/hsms/tcp/port-binding.js'
import { deferred } from '../../../src/kit/deferred.js'
import { nextTurn } from '../../../src/kit/turns.js'

const PLACE: Place = { host: '127.0.0.1', port: 5000, peer: undefined, take: () => true, surplus: () => {} }

/** A port on which one entity at a time may wait; the test says when it is bound and when it is free. */
function onePort() {
  const told: string[] = []
  const bound = [deferred<void>(), deferred<void>()]
  const left = deferred<void>()
  let joined = 0
  const listeners = {
    async join(): Promise<Seat> {
      const at = joined++
      told.push(`join ${at}`)
      await bound[at]?.promise
      return {
        port: 5000,
        leave: () => {
          told.push(`leave ${at}`)
          return at === 0 ? left.promise : undefined
        },
      }
    },
  } as unknown as Listeners
  return { told, bound, left, listeners }
}

const turns = async (): Promise<void> => {
  for (let count = 0; count < 5; count += 1) await nextTurn()
}

test('an entity listens again only when it has left its place, and then it is bound', async () => {
  const { told, bound, left, listeners } = onePort()
  const binding = new PortBinding(listeners)
  const refused = (error: ListenError): void => void told.push(error.message)
  binding.take(PLACE, () => told.push('bound 0'), refused)
  bound[0]?.resolve()
  await turns()
  expect(binding.port).toBe(5000)
  let isLeft = false
  void binding.leave().then(() => {
    isLeft = true
  })
  expect(binding.port).toBeUndefined()
  binding.take(PLACE, () => told.push('bound 1'), refused)
  await turns()
  expect(told).toEqual(['join 0', 'bound 0', 'leave 0'])
  expect(isLeft).toBe(false)
  left.resolve()
  bound[1]?.resolve()
  await turns()
  expect(isLeft).toBe(true)
  expect(told).toEqual(['join 0', 'bound 0', 'leave 0', 'join 1', 'bound 1'])
  expect(binding.port).toBe(5000)
})

test('an entity that leaves before it is bound is not told of it, and gives its place back', async () => {
  const { told, bound, left, listeners } = onePort()
  const binding = new PortBinding(listeners)
  binding.take(
    PLACE,
    () => told.push('bound 0'),
    () => {},
  )
  await turns()
  const leaving = binding.leave()
  binding.take(
    PLACE,
    () => told.push('bound 1'),
    () => {},
  )
  left.resolve()
  for (const { resolve } of bound) resolve()
  await leaving
  await turns()
  expect(told).toEqual(['join 0', 'leave 0', 'join 1', 'bound 1'])
})
