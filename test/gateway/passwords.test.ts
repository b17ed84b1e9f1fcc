import { expect, test } from 'vitest'
import { Passwords } from '../../src/gateway/passwords.js'
import { deferred } from '../../src/kit/deferred.js'

const passwords = new Passwords(2)

test('a password matches its own hash and no other', async () => {
  const hash = await passwords.hash('correct horse')
  expect(await passwords.matches('correct horse', hash)).toBe(true)
  expect(await passwords.matches('correct horse ', hash)).toBe(false)
  expect(await passwords.matches('', hash)).toBe(false)
})

test('the same password is never hashed to the same', async () => {
  expect(await passwords.hash('correct horse')).not.toBe(await passwords.hash('correct horse'))
})

test('a letter with its accent matches however a keyboard made it', async () => {
  expect(await passwords.matches('caf\u0065\u0301', await passwords.hash('caf\u00e9'))).toBe(true)
})

test('a hash that was made at another cost still matches', async () => {
  expect(await new Passwords(16).matches('correct horse', await passwords.hash('correct horse'))).toBe(true)
})

test('without a hash, or with one that is none, nothing matches', async () => {
  expect(await passwords.matches('correct horse', undefined)).toBe(false)
  expect(await passwords.matches('correct horse', 'md5$1$2$3$4')).toBe(false)
})

test('two are looked at at once, the others in the order they came, and a crowd is refused', async () => {
  const gates = Array.from({ length: 66 }, () => deferred<void>())
  const begun: number[] = []
  const turns = gates.map((gate, at) =>
    passwords.inTurn(async () => {
      begun.push(at)
      await gate.promise
    }),
  )
  expect(begun).toEqual([0, 1])
  await expect(passwords.inTurn(async () => undefined)).rejects.toMatchObject({
    code: 'rate_limited',
    extra: { retry_after: 5 },
  })
  for (const gate of gates) gate.resolve()
  await Promise.all(turns)
  expect(begun).toEqual(gates.map((_, at) => at))
})

test('a failure gives its turn to the next', async () => {
  const failures = Array.from({ length: 5 }, () => passwords.inTurn(() => Promise.reject(new Error('no'))))
  expect((await Promise.allSettled(failures)).map(({ status }) => status)).toEqual(Array(5).fill('rejected'))
  expect(await passwords.inTurn(async () => 'done')).toBe('done')
})
