import { X509Certificate } from 'node:crypto'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FIRST_CERTIFICATE } from '../../support/certificates.js'
import { runCommand } from '../../support/command.js'
import { FakeGateway, problem } from '../../support/fake-gateway.js'

const secure = createServer(FIRST_CERTIFICATE, (_, response) => response.end('{}'))
const plain = new FakeGateway({
  'GET /equipment': () => ({ status: 401, body: problem(401, 'token_expired', 'The token has expired.') }),
})
let host: string

beforeAll(async () => {
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
  host = `127.0.0.1:${(secure.address() as AddressInfo).port}`
  await plain.listen()
})
afterAll(async () => {
  secure.close()
  secure.closeAllConnections()
  await plain.close()
})

const list = (url: string) => runCommand(['equipment', 'list', '-l', 'a=b'], { gateway: { url } })

describe('a gateway that cannot be reached as it was named', () => {
  test('with a certificate that is not trusted: its fingerprint, and the command that trusts it', async () => {
    const { stderr, exitCode } = await list(`https://${host}`)
    expect(exitCode).toBe(6)
    expect(stderr).toContain(new X509Certificate(FIRST_CERTIFICATE.cert).fingerprint256)
    expect(stderr).toContain(`| secsctl profiles add 127.0.0.1 --url https://${host} --ca-file -`)
  })

  test('http where TLS is spoken, and https where it is not: the other address', async () => {
    const http = await list(`http://${host}`)
    expect(http.stderr).toContain('speaks TLS')
    expect(http.stderr).toContain(`Try: secsctl equipment list -l a=b --url https://${host}`)
    const https = await list(plain.url.replace('http:', 'https:'))
    expect(https.stderr).toContain('does not speak TLS')
    expect(https.stderr).toContain(`--url ${plain.url}`)
  })
})

test('a token of the environment that has expired is named: a login would change nothing', async () => {
  const { stderr, exitCode } = await list(plain.url)
  expect(exitCode).toBe(4)
  expect(stderr).toContain('SECSCTL_TOKEN.')
  expect(stderr).toContain('Try: unset SECSCTL_TOKEN; secsctl login')
})

test('a folder that cannot be written is named, with the variable that chooses another one', async () => {
  const words = ['profiles', 'add', 'x', '--url', 'http://x']
  const { stderr, exitCode } = await runCommand(words, { variables: { SECSCTL_HOME: '/proc/none' } })
  expect(exitCode).toBe(1)
  expect(stderr).toContain('/proc/none cannot be written')
  expect(stderr).toContain('SECSCTL_HOME')
})
