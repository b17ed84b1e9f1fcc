// The pages of the repository in a package for Linux, with the same folders, so that their links lead somewhere.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const PAGES = ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'NOTICE.md']

/** Contents by paths relative to the folder of the documents. The licence is there as `copyright`. */
export function documents(root) {
  const files = new Map(PAGES.map((name) => [name, readFileSync(join(root, name))]))
  const readme = readFileSync(join(root, 'README.md'), 'utf8').replaceAll('](LICENSE)', '](copyright)')
  files.set('README.md', readme)
  for (const entry of readdirSync(join(root, 'docs'), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) files.set(path.slice(root.length + 1), readFileSync(path))
  }
  return new Map([...files].sort(([one], [other]) => (one < other ? -1 : 1)))
}
