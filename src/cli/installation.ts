import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** The installation is one executable: the path of its root is the path of that file. */
export const isExecutable = (root: string): boolean => root === process.execPath

/** The program and its first arguments that run this command line again. */
export const ownProgram = (root: string): readonly [string, ...string[]] =>
  isExecutable(root) ? [root] : [process.execPath, join(root, 'bin', 'run.js')]

/** The heap of a daemon grows by half at most between two collections. */
export const HEAP_GROWTH = '--heap-growing-percent=50'

/**
 * Options of Node for a daemon; bin/load.js has the same. V8's young generation would grow to 48 MB, most of it garbage of
 * lists. Held to 24 MB it is collected half as often as at 12, where each collection finds what is under way of many tools:
 * event reports of 20 tools take a fifth less of the processor, for 9 MiB. The heap would grow to three times what is in use
 * before V8 collects what lists and exports leave; so it grows by half: a thousand tools need 40 MiB less than where it
 * doubles, and exports that run all the time need a tenth more of the processor.
 */
export const DAEMON_OPTIONS = ['--max-semi-space-size=8', HEAP_GROWTH] as const

/** What runs the daemon in a process of its own. The executable always has the first option, and sets the other itself. */
export function daemonProgram(root: string): readonly [string, ...string[]] {
  const [program, ...args] = ownProgram(root)
  return [program, ...(isExecutable(root) ? [] : DAEMON_OPTIONS), ...args, 'daemon', 'run']
}

/**
 * Variables of that process. glibc would raise this threshold to the size of the largest block that was freed, and keep
 * blocks below it in its own heap: hundreds of MiB after a burst of long messages.
 */
export const DAEMON_VARIABLES = { MALLOC_MMAP_THRESHOLD_: String(1024 * 1024) } as const

/** A file of the bundle. */
export const bundleFile = (root: string, name: string): string => join(root, 'dist', name)

/**
 * A JSON file of the installation, such as `package.json`. Read at once: what a start reads by way of the thread pool
 * waits for it four times a file, and starts it.
 */
export async function readInstalled(root: string, name: string): Promise<unknown> {
  if (!isExecutable(root)) return JSON.parse(readFileSync(join(root, name), 'utf8'))
  const { getAsset } = await import('node:sea')
  return JSON.parse(getAsset(name, 'utf8'))
}

/** A version with the build that has it, so that two builds of one version look different; alone where there is none. */
export async function builtVersion(root: string, version: string): Promise<string> {
  const { build } = (await readInstalled(root, 'dist/package.json').catch(() => ({}))) as { build?: string }
  return build === undefined ? version : `${version}+${build}`
}

/** All files below a folder of the installation, by their paths within it; none where there is no such folder. */
export async function installedFiles(root: string, folder: string): Promise<ReadonlyMap<string, Buffer>> {
  if (isExecutable(root)) {
    const { getAssetKeys, getRawAsset } = (await import('node:sea')) as Assets
    const names = (getAssetKeys?.() ?? []).filter((name) => name.startsWith(`${folder}/`))
    return new Map(
      names.map((name) => [name.slice(folder.length + 1), Buffer.from(getRawAsset(name) as ArrayBuffer)]),
    )
  }
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(() => [])
  const files = new Map<string, Buffer>()
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) files.set(relative(join(root, folder), path), await readFile(path))
  }
  return files
}

/** Node 24, which the executable has, can list its assets. */
type Assets = typeof import('node:sea') & { getAssetKeys?(): string[] }
