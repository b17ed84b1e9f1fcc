// Makes a release of what the changelog has under "Unreleased": `node scripts/release.mjs 0.2.0`.
//
//   VERSION         gives the section this version and today's date, sets package.json and the lock file, commits, tags
//   --check TAG     fails unless package.json and the changelog have this version
//   --notes         prints the section of package.json's version
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = process.env.RELEASE_ROOT ?? dirname(dirname(fileURLToPath(import.meta.url)))
const read = (name) => readFileSync(join(root, name), 'utf8')
const run = (command, ...args) => execFileSync(command, args, { cwd: root, encoding: 'utf8' })

function fail(text) {
  console.error(text)
  process.exit(2)
}

/** @returns the text below `## VERSION`, up to the next version; undefined when there is none */
function section(version) {
  const [, ...parts] = read('CHANGELOG.md').split(/^## /m)
  const found = parts.find((part) => part.split(/[\s\n]/, 1)[0] === version)
  return found?.slice(found.indexOf('\n')).trim()
}

const packageVersion = () => JSON.parse(read('package.json')).version

function check(tag) {
  const version = packageVersion()
  if (tag !== `v${version}`) fail(`The tag is ${tag}, and package.json has the version ${version}.`)
  if (!section(version)) fail(`CHANGELOG.md has no text for ${version}.`)
}

function release(version) {
  if (!/^\d+\.\d+\.\d+$/.test(version)) fail(`${version} is not a version such as 0.2.0.`)
  if (run('git', 'status', '--porcelain') !== '') fail('There are changes that are not committed.')
  if (section(version)) fail(`CHANGELOG.md has ${version} already.`)
  if (!section('Unreleased')) fail('CHANGELOG.md has nothing under "## Unreleased".')
  const today = new Date().toISOString().slice(0, 10)
  const heading = `## ${version} (${today})`
  writeFileSync(join(root, 'CHANGELOG.md'), read('CHANGELOG.md').replace(/^## Unreleased$/m, heading))
  run('npm', 'version', version, '--no-git-tag-version')
  run('git', 'commit', '--all', '--message', `Version ${version}`)
  run('git', 'tag', '--annotate', `v${version}`, '--message', `secsctl ${version}`)
  console.log(`Version ${version} is committed and tagged. Publish it: git push --follow-tags`)
}

const [what, value] = process.argv.slice(2)
if (what === '--check') check(value)
else if (what === '--notes')
  console.log(section(packageVersion()) ?? fail('CHANGELOG.md has no text for this version.'))
else if (what === undefined) fail('Which version? Such as: node scripts/release.mjs 0.2.0')
else release(what)
