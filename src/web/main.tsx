import { render } from 'preact'
import { App } from './shell/app.js'
import { pageAt } from './shell/page-at.js'
import { PAGES } from './shell/pages.js'
import { startRouter } from './shell/router.js'
import { keyInAddress, useKey } from './shell/session.js'
import { startTheme } from './shell/theme.js'
import './style/page.css'

startTheme()
startRouter((path) => pageAt(path, PAGES) !== undefined)
const key = keyInAddress()
// A key that is refused leaves the login, where it can be given again.
if (key !== undefined) await useKey(key).catch(() => undefined)
const root = document.getElementById('app')
if (root) render(<App />, root)
