// A real Chromium for tests: an installed Chrome or Chromium where there is one, else the one that
// comes in the npm package @sparticuz/chromium (Linux on x64). None: the test fails and says how
// to get one.
import { existsSync } from 'node:fs'
import { chromium as driver, type Browser, type Page } from 'playwright-core'

const INSTALLED = [
  process.env.CHROME_PATH,
  '/usr/bin/google-chrome', '/usr/bin/chromium', '/usr/bin/chromium-browser',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]
const ARGS = ['--no-sandbox', '--use-angle=swiftshader']

async function executable(): Promise<string> {
  const installed = INSTALLED.find((path) => path && existsSync(path))
  if (installed) return installed
  try {
    const { default: packed } = await import('@sparticuz/chromium')
    return await packed.executablePath()
  } catch (cause) {
    throw new Error('No browser for the browser tests. Install Chrome or Chromium, or set CHROME_PATH to one.', { cause })
  }
}

let browser: Promise<Browser> | null = null

/** A page of its own (1440 x 900, dark unless said); everything the page complains about is in `faults`. */
export async function openPage(url: string, options: { width?: number; height?: number; theme?: 'dark' | 'light' } = {}): Promise<{ page: Page; faults: string[] }> {
  browser ??= executable().then((executablePath) => driver.launch({ executablePath, args: ARGS }))
  const { width = 1440, height = 900, theme = 'dark' } = options
  const context = await (await browser).newContext({ viewport: { width, height }, colorScheme: theme, reducedMotion: 'reduce' })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (line) => { if (line.type() === 'error' && !/WebSocket connection|ERR_CONNECTION/.test(line.text())) faults.push(line.text()) })
  page.setDefaultTimeout(10_000)
  await page.goto(url)
  return { page, faults }
}

/** To be called at the end of a file of browser tests. */
export async function closeBrowser(): Promise<void> {
  await (await browser)?.close()
  browser = null
}
