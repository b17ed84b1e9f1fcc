import { expect, test } from 'vitest'
import { isPasswordHash, Passwords } from '../../../src/gateway/accounts/passwords.js'
import { deferred } from '../../../src/kit/deferred.js'

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
  // By Python's hashlib.scrypt with n=1024, r=8, p=1.
  const elsewhere = 'scrypt$1024$8$U29kaXVtQ2hsb3JpZGUxNg$wlnb_7z_JJWR3LhyxCL9BPzRzKRdB8wPx_h73sTLibg'
  expect(await passwords.matches('pleaseletmein', elsewhere)).toBe(true)
})

test('the cost of the standard hash is 2^15', async () => {
  const hash = await new Passwords().hash('correct horse')
  expect([hash.slice(0, 15), isPasswordHash(hash)]).toEqual(['scrypt$32768$8$', true])
})

const KEY = 'k'.repeat(43)
test.each([
  [`scrypt$2$8$c2FsdA$${KEY}`, true],
  [`scrypt$1048576$8$c2FsdA$${KEY}`, true],
  [`scrypt$2097152$8$c2FsdA$${KEY}`, false],
  [`scrypt$1000$8$c2FsdA$${KEY}`, false],
  [`scrypt$1$8$c2FsdA$${KEY}`, false],
  [`scrypt$16$16$c2FsdA$${KEY}`, false],
  [`scrypt$16$8$c2FsdA$${KEY}kkk`, false],
  ['secret', false],
])('%s is the hash of a password: %s', (text, is) => {
  expect(isPasswordHash(text)).toBe(is)
})

test('without a hash, or with one that is none, nothing matches', async () => {
  expect(await passwords.matches('correct horse', undefined)).toBe(false)
  expect(await passwords.matches('correct horse', 'md5$1$2$3$4')).toBe(false)
})

/** Work of each holder that goes on until `finish`, and the holders in the order in which theirs began. */
function crowd(holders: readonly string[]) {
  const gate = deferred<void>()
  const begun: string[] = []
  const turns = holders.map((holder) =>
    passwords.inTurn(holder, async () => {
      begun.push(holder)
      await gate.promise
    }),
  )
  const finish = async () => {
    gate.resolve()
    return Promise.allSettled(turns)
  }
  return { begun, finish }
}

test('two are looked at at once, then each holder in turn, and of one holder sixteen wait', async () => {
  const { begun, finish } = crowd(['a', 'a', ...Array(16).fill('a'), 'b', 'c', 'b'])
  expect(begun).toEqual(['a', 'a'])
  await expect(passwords.inTurn('a', async () => undefined)).rejects.toMatchObject({
    code: 'quota_exceeded',
    extra: { retry_after: 5 },
  })
  await finish()
  expect(begun.slice(2, 8)).toEqual(['a', 'b', 'c', 'a', 'b', 'a'])
  expect(begun).toHaveLength(21)
})

test('where all places to wait are taken, a holder with few takes one of a holder with most', async () => {
  const many = ['a', 'b', 'c', 'd'].flatMap((holder) => Array(16).fill(holder))
  const { begun, finish } = crowd(['a', 'a', ...many])
  const newcomer = passwords.inTurn('e', async () => 'done')
  const results = await finish()
  expect(await newcomer).toBe('done')
  expect(results.flatMap(({ status }, at) => (status === 'rejected' ? [at] : []))).toEqual([17])
  expect(begun).toHaveLength(65)
})

test('where all wait alike, one more is refused', async () => {
  const { finish } = crowd(['a', 'a', ...Array.from({ length: 64 }, (_, at) => `h${at}`)])
  await expect(passwords.inTurn('z', async () => undefined)).rejects.toMatchObject({
    code: 'rate_limited',
    extra: { retry_after: 5 },
  })
  await finish()
})

test('a failure gives its turn to the next', async () => {
  const failures = Array.from({ length: 5 }, () =>
    passwords.inTurn('a', () => Promise.reject(new Error('no'))),
  )
  expect((await Promise.allSettled(failures)).map(({ status }) => status)).toEqual(Array(5).fill('rejected'))
  expect(await passwords.inTurn('a', async () => 'done')).toBe('done')
})
