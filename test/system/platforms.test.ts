import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../support/free-port.js'
import { until } from '../support/until.js'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'secsctl-platforms-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The executable for a platform, as `npm run package` builds it. */
async function built(platform: string): Promise<string> {
  const to = join(folder, platform)
  await run(process.execPath, ['scripts/package.mjs', '--executable', `--platform=${platform}`, to])
  return join(to, readdirSync(to).find((name) => name.startsWith('secsctl-')) ?? 'no executable')
}

/** What Node looks for to know that there is an application in its binary: 1 for yes. */
const fuseOf = (binary: Buffer): string => {
  const fuse = Buffer.from('NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:')
  return String.fromCharCode(binary[binary.indexOf(fuse) + fuse.length] ?? 0)
}

describe('the executable for Linux on arm64, in an emulator', () => {
  let executable = ''
  beforeAll(async () => {
    executable = await built('linux-arm64')
  })
  const QEMU = '/usr/bin/qemu-aarch64-static'
  const words = (...args: string[]) => ['-L', '/usr/aarch64-linux-gnu', executable, ...args]
  const env = { PATH: '', HOME: folder, SECSCTL_HOME: join(folder, 'home') }

  test('is of that machine', () => {
    const binary = readFileSync(executable)
    expect(binary.subarray(0, 4).toString('latin1')).toBe('\x7fELF')
    expect(binary.readUInt16LE(18)).toBe(0xb7)
  })

  test('says its version and encodes', async () => {
    expect((await run(QEMU, words('--version'), { env })).stdout).toMatch(/^secsctl \d+\.\d+\.\d+ /)
    expect((await run(QEMU, words('sml', 'encode', '<U4 1>'), { env })).stdout).toContain('b10400000001')
  })

  test('is a daemon that locks its data folder, with a native part', async () => {
    const port = await freePort()
    const daemon = spawn(QEMU, words('daemon', 'run', '--port', String(port)), { env, stdio: 'ignore' })
    const isReady = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    try {
      await until(isReady, 300_000)
    } finally {
      daemon.kill()
      await once(daemon, 'exit')
    }
  })
})

// No machine here runs it: Wine 8 has not the memory calls that this Node needs.
describe('the executable for Windows', () => {
  let binary = Buffer.alloc(0)
  beforeAll(async () => {
    binary = readFileSync(await built('win-x64'))
  })

  test('is a console program of Windows for x64', () => {
    const header = binary.readUInt32LE(0x3c)
    expect(binary.subarray(0, 2).toString()).toBe('MZ')
    expect(binary.subarray(header, header + 4).toString('latin1')).toBe('PE\0\0')
    expect(binary.readUInt16LE(header + 4)).toBe(0x8664)
    expect(binary.readUInt16LE(header + 24 + 68)).toBe(3)
  })

  test('has the application as a resource, with native parts of Windows, and Node knows it', () => {
    expect(binary.includes(Buffer.from('NODE_SEA_BLOB', 'utf16le'))).toBe(true)
    expect(fuseOf(binary)).toBe('1')
    for (const name of ['fs-native-extensions', '@napi-rs/keyring', '@serialport/bindings-cpp'])
      expect(binary.includes(`native/${name}.node`), name).toBe(true)
    expect(binary.includes('dist/commands/equipment/list.js')).toBe(true)
  })
})
