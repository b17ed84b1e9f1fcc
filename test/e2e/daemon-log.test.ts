import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FIRST_CERTIFICATE, SECOND_CERTIFICATE } from '../support/certificates.js'
import { ADMIN, DaemonProcess, Home } from '../support/daemon-process.js'
import { PlainClient } from '../support/plain-client.js'
import { until } from '../support/until.js'

let home: Home
let daemon: DaemonProcess

beforeEach(() => {
  home = new Home()
})
afterEach(async () => {
  await daemon.end('SIGKILL')
  home.dispose()
})

const lines = (): Record<string, unknown>[] =>
  daemon
    .log()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

test('the log of a whole run has one JSON line a request, and no password and no token in any', async () => {
  const metricsToken = 'the-token-of-the-scraper'
  daemon = await DaemonProcess.start(home, [], { SECSCTL_METRICS_TOKEN: metricsToken })
  const secrets = [ADMIN.password, metricsToken]
  const client = await new PlainClient(daemon.url).login()
  secrets.push(client.token ?? '')

  const wrong = 'this password is wrong'
  const password = 'another long password'
  const newPassword = 'yet another password'
  secrets.push(wrong, password, newPassword)
  await client.post('/auth/login', { email: ADMIN.email, password: wrong })
  await client.post('/auth/login', { email: ADMIN.email, passwort: wrong })
  await client.post('/auth/login', `{"password":"${wrong}`)
  const user = { email: 'ada@example.com', name: 'Ada', role: 'viewer' }
  const { body } = await client.post('/users', { ...user, password })
  await client.put(`/users/${body.id}`, { password: newPassword })
  await client.get(`/equipment?access_token=${client.token}&password=${wrong}`)
  await new PlainClient(daemon.url).call('GET', '/equipment', undefined, {
    authorization: `Bearer x${client.token}`,
  })
  await fetch(`${daemon.url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
  await fetch(`${daemon.url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}x` } })
  const { body: refreshed } = await client.post('/auth/refresh')
  secrets.push(refreshed.token)
  await client.call('POST', '/auth/logout', undefined, { 'x-request-id': 'the-last-one' })

  await until(() => daemon.log().includes('the-last-one'))
  const requests = lines().filter(({ msg }) => msg === 'request')
  expect(requests).toHaveLength(12)
  expect(new Set(requests.map(({ request_id }) => request_id)).size).toBe(12)
  for (const line of requests) {
    expect(line).toMatchObject({
      method: expect.any(String),
      path: expect.any(String),
      status: expect.any(Number),
    })
  }
  // Of a token the signature alone would be enough; its head is the same in all of them.
  for (const secret of secrets) expect(daemon.log()).not.toContain(secret.split('.').at(-1))
})

test('SIGHUP has the certificate read again; one that is none is refused with a line, and the old one stays', async () => {
  const [cert, key] = [join(home.folder, 'cert.pem'), join(home.folder, 'key.pem')]
  const write = (certificate: typeof FIRST_CERTIFICATE): void => {
    writeFileSync(cert, certificate.cert)
    writeFileSync(key, certificate.key, { mode: 0o600 })
  }
  const shown = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const { port, hostname: host } = new URL(daemon.url)
      const socket = connect({ port: Number(port), host, rejectUnauthorized: false }, () => {
        resolve(String(socket.getPeerCertificate().subject.CN))
        socket.destroy()
      })
      socket.once('error', reject)
    })
  const said = (words: string) => (): boolean => daemon.log().includes(words)

  write(FIRST_CERTIFICATE)
  daemon = await DaemonProcess.start(home, ['--tls-cert', cert, '--tls-key', key])
  expect(daemon.url).toMatch(/^https:/)
  expect(await shown()).toBe('first')

  write(SECOND_CERTIFICATE)
  daemon.child.kill('SIGHUP')
  await until(said('certificate renewed'))
  expect(await shown()).toBe('second')

  write({ ...FIRST_CERTIFICATE, key: 'none' })
  daemon.child.kill('SIGHUP')
  await until(said('certificate refused'))
  expect(await shown()).toBe('second')
  expect(daemon.log()).not.toContain('PRIVATE KEY')
  expect(await daemon.end('SIGTERM')).toBe(0)
})

test('SIGHUP ends no daemon that speaks without TLS: who reloads it means no harm', async () => {
  daemon = await DaemonProcess.start(home)
  daemon.child.kill('SIGHUP')
  await until(() => daemon.log().includes('no certificate to renew'))
  expect((await fetch(`${daemon.url}/readyz`)).status).toBe(200)
})

test('the flags for pages, proxies and scrapers reach the server', async () => {
  const file = join(home.folder, 'metrics-token')
  writeFileSync(file, 'scrape-me\n', { mode: 0o600 })
  const origin = 'https://app.example'
  const flags = ['--cors-origin', origin, '--trust-proxy', '127.0.0.1', '--metrics-token-file', file]
  daemon = await DaemonProcess.start(home, flags)
  const answer = await fetch(`${daemon.url}/healthz`, {
    headers: { origin, 'x-forwarded-for': '203.0.113.9', 'x-request-id': 'by proxy' },
  })
  expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
  await until(() => daemon.log().includes('by proxy'))
  expect(lines().find(({ request_id }) => request_id === 'by proxy')).toMatchObject({ from: '203.0.113.9' })
  const scrape = async (token: string): Promise<number> =>
    (await fetch(`${daemon.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).status
  expect([await scrape('scrape-me'), await scrape('else')]).toEqual([200, 401])
})
