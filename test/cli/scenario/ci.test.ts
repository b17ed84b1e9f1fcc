import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { freePort } from '../../support/free-port.js'
import { ended, Secsctl } from '../../support/secsctl.js'

const secsctl = new Secsctl()
const groups: number[] = []
afterAll(() => {
  for (const group of groups) {
    try {
      process.kill(-group, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
  secsctl.remove()
})

interface Workflow {
  readonly jobs: { readonly interface: { readonly steps: readonly { readonly run?: string }[] } }
}

test('the workflow of docs/scenarios.md runs its acceptance, and leaves its reports', async () => {
  const page = readFileSync('docs/scenarios.md', 'utf8')
  const blocks = [...page.matchAll(/^```(yaml|yml)\n([\s\S]*?)^```$/gm)].map(([, , text = '']) => text)
  const acceptance = blocks.find((text) => text.includes('name: Acceptance')) ?? ''
  const workflow = parse(blocks.find((text) => text.includes('runs-on')) ?? '') as Workflow
  const folder = secsctl.home
  writeFileSync(`${folder}/acceptance.yaml`, acceptance)
  mkdirSync(`${folder}/bin`)
  writeFileSync(
    `${folder}/bin/secsctl`,
    `#!/bin/sh\nexec ${process.execPath} ${resolve('bin/run.js')} "$@"\n`,
  )
  chmodSync(`${folder}/bin/secsctl`, 0o755)
  const port = await freePort()
  const env = secsctl.environment({ PATH: `${folder}/bin:${process.env['PATH']}` })
  const scripts = workflow.jobs.interface.steps.flatMap(({ run = '' }) =>
    run === '' || run.startsWith('npm install') ? [] : [run.replaceAll('5000', String(port))],
  )
  expect(scripts).toHaveLength(2)
  for (const script of scripts) {
    const child = spawn('bash', ['-eo', 'pipefail', '-c', script], { cwd: folder, env, detached: true })
    groups.push(child.pid ?? 0)
    const { code, stderr } = await ended(child)
    expect({ code, stderr }).toMatchObject({ code: 0 })
  }
  expect(readFileSync(`${folder}/interface.xml`, 'utf8')).toMatch(/failures="0" skipped="0"/)
  expect(readFileSync(`${folder}/interface.html`, 'utf8')).toContain('Acceptance of the etcher interface')
  expect(existsSync(`${folder}/state/daemon.json`)).toBe(false)
})
