// The platforms that there are executables for, with the packages of npm that they are made of.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** A long-term support release, with security fixes until April 2028. The integrities change together with it. */
export const NODE_VERSION = '24.21.0'

/** The compiled parts of the native packages: `keyring` is in a package of its own for each platform. */
export const PLATFORMS = {
  'linux-x64': {
    integrity:
      'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
    node: 'bin/node',
    ending: '',
    keyring: 'linux-x64-gnu',
    serial: '@serialport+bindings-cpp.glibc.node',
  },
  'linux-arm64': {
    integrity:
      'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
    node: 'bin/node',
    ending: '',
    keyring: 'linux-arm64-gnu',
    serial: '@serialport+bindings-cpp.armv8.glibc.node',
  },
  'win-x64': {
    integrity:
      'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
    node: 'bin/node.exe',
    ending: '.exe',
    keyring: 'win32-x64-msvc',
    serial: '@serialport+bindings-cpp.node',
  },
}

/** The platform of this machine. */
export const HERE = `${process.platform}-${process.arch}`

const integrityOf = (bytes) => `sha512-${createHash('sha512').update(bytes).digest('base64')}`

/** The folder with a package of npm; downloaded once, and only taken when it is what is expected. */
export function packageFolder(root, name, version, expected) {
  const cache = join(root, 'node_modules', '.cache', 'secsctl')
  const folder = join(cache, `${name.replace('/', '+')}-${version}`)
  if (existsSync(folder)) return folder
  const fresh = `${folder}.${process.pid}`
  mkdirSync(fresh, { recursive: true })
  try {
    const wanted = `${name}@${version}`
    const args = [
      'pack',
      wanted,
      '--json',
      '--prefer-offline',
      '--ignore-scripts',
      '--pack-destination',
      fresh,
    ]
    const [{ filename }] = JSON.parse(
      execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    )
    const archive = join(fresh, filename)
    const integrity = integrityOf(readFileSync(archive))
    if (integrity !== expected) throw new Error(`${wanted} is not what is expected: ${integrity}`)
    execFileSync('tar', ['-xzf', archive, '-C', fresh, '--strip-components=1'])
    rmSync(archive)
    renameSync(fresh, folder)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}

/** The folder with Node for a platform, and its licence. */
export const nodeFolder = (root, platform = HERE) =>
  packageFolder(root, `node-${platform}`, NODE_VERSION, PLATFORMS[platform].integrity)

/** The binary of Node for a platform. */
export const nodeBinary = (root, platform = HERE) =>
  join(nodeFolder(root, platform), PLATFORMS[platform].node)
