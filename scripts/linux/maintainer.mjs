// Who publishes the packages, by package.json alone.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `maintainer`: "NAME <ADDRESS>". `homepage` is undefined until there is one. */
export function maintainerOf(root) {
  const { author, homepage } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return { maintainer: author, homepage }
}
