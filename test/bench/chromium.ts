// The headless Chromium that the viewer is measured in. Every page has a context of its own, so
// that none finds the last one's caches and settings.
import chromium from '@sparticuz/chromium'
import { chromium as launcher, type Page } from 'playwright-core'

export interface Browser {
  newPage(): Promise<Page>
  close(): Promise<void>
}

export async function openBrowser(): Promise<Browser> {
  const browser = await launcher.launch({ executablePath: await chromium.executablePath(), args: ['--no-sandbox', '--use-angle=swiftshader'], headless: true })
  return {
    async newPage() {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
      const page = await context.newPage()
      page.on('close', () => void context.close().catch(() => {})) // the context goes with its page; the browser may have gone first
      return page
    },
    close: () => browser.close(),
  }
}
