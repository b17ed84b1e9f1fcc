import { render } from 'preact'
import { App } from './shell/app.js'
import { pageAt } from './shell/page-at.js'
import { PAGES } from './shell/pages.js'
import { startRouter } from './shell/router.js'
import {
  askTabs,
  endSignOn,
  isKeyInAddress,
  keyInAddress,
  signOnInAddress,
  startWithKey,
} from './shell/session.js'
import { startTheme } from './shell/theme.js'
import { texts } from './texts.js'
import './style/page.css'

startTheme()
startRouter((path) => pageAt(path, PAGES) !== undefined)
const root = document.getElementById('app') ?? document.body
const key = keyInAddress()
const signedOn = signOnInAddress()
if (signedOn !== undefined) {
  render(<p class="empty">{texts.live.connecting}</p>, root)
  await endSignOn(signedOn)
}
if (key !== undefined) {
  render(<p class="empty">{texts.live.connecting}</p>, root)
  await startWithKey(key)
} else await askTabs()
render(<App />, root)
// A key that is entered into the address bar of a page that is open loads nothing by itself.
addEventListener('hashchange', () => {
  if (isKeyInAddress()) location.reload()
})
