import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import type { Product } from './versions.js'

/** The product whose sources are in another folder, such as a checkout of an earlier version, with the packages of this one. */
export async function productIn(folder: string): Promise<Product> {
  const cache = resolve('node_modules', '.cache', 'secsctl')
  mkdirSync(cache, { recursive: true })
  const bundle = join(cache, `older-product-${process.pid}.mjs`)
  await build({
    stdin: {
      contents: readFileSync(resolve('test', 'world', 'product.ts'), 'utf8'),
      resolveDir: resolve(folder, 'test', 'world'),
      loader: 'ts',
    },
    outfile: bundle,
    ...JSON.parse(readFileSync(resolve('scripts', 'program-build.json'), 'utf8')),
  })
  try {
    return (await import(pathToFileURL(bundle).href)) as Product
  } finally {
    rmSync(bundle)
  }
}
