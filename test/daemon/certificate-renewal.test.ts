import { expect, test } from 'vitest'
import type { Certificate } from '../../src/api/certificate.js'
import { CertificateRenewal } from '../../src/daemon/certificate-renewal.js'
import { deferred } from '../../src/kit/deferred.js'
import { FIRST_CERTIFICATE, SECOND_CERTIFICATE } from '../support/certificates.js'

/** A daemon whose files are `files`; what it did with them, in order. */
function daemon(
  announce: (certificate: Certificate) => Promise<void> = async () => {},
  now = () => new Date('2026-12-01T00:00:00Z'),
) {
  const state = { files: FIRST_CERTIFICATE as Certificate | undefined }
  const used: Certificate[] = []
  const told: Certificate[] = []
  const logged: {
    readonly level: 'info' | 'error'
    readonly text: unknown
    readonly until: unknown
    readonly why?: string
  }[] = []
  const log =
    (level: 'info' | 'error') =>
    (...said: readonly unknown[]): void => {
      const [{ until, err }] = said as readonly [{ readonly until?: unknown; readonly err?: Error }]
      logged.push({ level, text: said.at(-1), until, ...(err && { why: err.message }) })
    }
  const renewal = new CertificateRenewal({
    read: async () => state.files,
    use: (certificate) => void used.push(certificate),
    announce: async (certificate) => {
      await announce(certificate)
      told.push(certificate)
    },
    log: { info: log('info'), error: log('error') },
    clock: { date: now },
  })
  return { state, used, told, logged, renewal }
}

test('of two requests the files as they were at the last one are used and announced, however long the first takes', async () => {
  const slow = deferred<void>()
  const { state, used, told, renewal } = daemon((certificate) =>
    certificate === FIRST_CERTIFICATE ? slow.promise : Promise.resolve(),
  )
  const first = renewal.renew()
  // Its files have been read.
  await new Promise((resolve) => setImmediate(resolve))
  state.files = SECOND_CERTIFICATE
  const second = renewal.renew()
  await new Promise((resolve) => setImmediate(resolve))
  slow.resolve()
  await Promise.all([first, second])
  expect(used.at(-1)).toBe(SECOND_CERTIFICATE)
  expect(told.at(-1)).toBe(SECOND_CERTIFICATE)
})

test('requests that come while files are read lead to one more reading', async () => {
  const { used, renewal } = daemon()
  await Promise.all(Array.from({ length: 10 }, () => renewal.renew()))
  expect(used).toHaveLength(2)
  await renewal.renew()
  expect(used).toHaveLength(3)
})

test('where it cannot be announced, the log does not say that the old one stays', async () => {
  const { used, logged, renewal } = daemon(() => Promise.reject(new Error('ENOSPC')))
  await renewal.renew()
  expect(used).toEqual([FIRST_CERTIFICATE])
  expect(logged).toMatchObject([
    { level: 'error', text: expect.stringContaining('certificate renewed'), until: expect.any(String) },
  ])
})

test('the log says until when the new certificate is valid', async () => {
  const { logged, renewal } = daemon()
  await renewal.renew()
  expect(logged).toMatchObject([{ level: 'info', until: '2126-10-28T12:29:12.000Z' }])
})

test('without a certificate nothing is used', async () => {
  const { state, used, logged, renewal } = daemon()
  state.files = undefined
  await renewal.renew()
  expect(used).toEqual([])
  expect(logged).toMatchObject([{ level: 'info' }])
})

test('a certificate that has expired is refused by the clock of the daemon, and the log says when it expired', async () => {
  let now = new Date('2126-10-28T12:29:11Z')
  const { state, used, told, logged, renewal } = daemon(undefined, () => now)
  await renewal.renew()
  now = new Date('2126-10-28T12:29:12Z')
  state.files = SECOND_CERTIFICATE
  await renewal.renew()
  expect([used, told]).toEqual([[FIRST_CERTIFICATE], [FIRST_CERTIFICATE]])
  expect(logged.at(-1)).toMatchObject({
    level: 'error',
    text: expect.stringContaining('the old one stays'),
    why: expect.stringContaining('2126-10-28T12:29:12.000Z'),
  })
})
