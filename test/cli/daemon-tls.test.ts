import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { FIRST_CERTIFICATE, SECOND_CERTIFICATE } from '../support/certificates.js'
import { killed } from '../support/daemon-process.js'
import { ended, Secsctl } from '../support/secsctl.js'
import { until } from '../support/until.js'

const secsctl = new Secsctl()
const elsewhere = new Secsctl()
afterAll(async () => {
  await secsctl.run(['daemon', 'stop'])
  secsctl.remove()
  elsewhere.remove()
})

test('a daemon with a self-signed certificate is trusted by the commands of this machine, and by no others', async () => {
  const [cert, key] = [join(secsctl.home, 'cert.pem'), join(secsctl.home, 'key.pem')]
  const write = (certificate: typeof FIRST_CERTIFICATE): void => {
    writeFileSync(cert, certificate.cert)
    writeFileSync(key, certificate.key, { mode: 0o600 })
  }
  write(FIRST_CERTIFICATE)
  const started = await secsctl.run([
    'daemon',
    'start',
    '--port',
    '0',
    '--tls-cert',
    cert,
    '--tls-key',
    key,
    '--json',
  ])
  expect(started).toMatchObject({ code: 0, stderr: '' })
  const { url, pid } = JSON.parse(started.stdout) as { url: string; pid: number }
  expect(url).toMatch(/^https:/)
  expect(await secsctl.run(['equipment', 'list', '--json'])).toMatchObject({ code: 0, stderr: '' })
  expect(await secsctl.run(['events', 'tail', '--idle-timeout', '300ms'])).toMatchObject({ code: 7 })
  expect(await elsewhere.runProcess(['api', 'GET', '/equipment', '--url', url])).toMatchObject({
    code: 6,
    stderr: expect.stringContaining('is not trusted'),
  })
  // A certificate that is renewed is trusted as well.
  write(SECOND_CERTIFICATE)
  process.kill(pid, 'SIGHUP')
  await until(async () => (await secsctl.run(['daemon', 'logs'])).stdout.includes('certificate renewed'))
  expect(await secsctl.run(['equipment', 'list', '--json'])).toMatchObject({ code: 0, stderr: '' })
  // After a crash, a command that starts it again uses its port and its TLS.
  await killed(pid)
  const again = await secsctl.run(['equipment', 'list', '--json'], { env: { SECSCTL_AUTOSTART: '1' } })
  expect(again).toMatchObject({ code: 0 })
  const status = await secsctl.run(['daemon', 'status', '--json'])
  expect(JSON.parse(status.stdout)).toMatchObject({ url })
})

test('a daemon that is asked to read its certificate again while it starts does so, and does not stop', async () => {
  const catalogue = join(elsewhere.home, 'site.json')
  execFileSync('mkfifo', [catalogue])
  const child = elsewhere.start(['daemon', 'run', '--port', '0', '--catalogue', catalogue])
  const end = ended(child)
  let logged = ''
  child.stderr?.on('data', (text: string) => {
    logged += text
  })
  // It opens the file, and waits for what is written.
  const file = await open(catalogue, 'w')
  child.kill('SIGHUP')
  await file.writeFile('{}')
  await file.close()
  await Promise.race([until(() => logged.includes('no certificate to renew')), end])
  const asked = child.kill('SIGTERM')
  expect(await end).toMatchObject({ code: 0, stderr: expect.stringContaining('no certificate to renew') })
  expect(asked).toBe(true)
})
