import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The pages in `docs` below a folder, by their paths in that folder. */
export const pagesIn = (folder: string): string[] =>
  readdirSync(join(folder, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name))

/** The links of pages that lead to no file of the folder, as `PAGE: LINK`. */
export function deadLinks(folder: string, pages: readonly string[]): string[] {
  return pages.flatMap((page) => {
    const links = [...readFileSync(join(folder, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
    return links
      .map(([, link]) => link as string)
      .filter((link) => !existsSync(join(folder, dirname(page), link)))
      .map((link) => `${page}: ${link}`)
  })
}
