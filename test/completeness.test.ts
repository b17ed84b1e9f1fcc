import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endpoints } from '../src/contract/endpoints.js'

/** All that a command is made of. */
const commandLine = ['commands', 'src/cli', 'src/client', 'src/scenario']
  .flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(root, file), 'utf8')),
  )
  .join('\n')

/** What a page does in a browser, in the place of `login --sso`. */
const OF_THE_PAGE: readonly string[] = ['beginPageSignOn', 'exchangePageSignOn']

test.each(Object.keys(endpoints).filter((name) => !OF_THE_PAGE.includes(name)))(
  '%s is called by a command',
  (name) => {
    expect(commandLine).toMatch(new RegExp(`\\bendpoints\\.${name}\\b`))
  },
)
