// Where the viewer begins.
import { render } from 'solid-js/web'
import { App } from './panels/app.tsx'
import './style/tokens.css'
import './style/app.css'

const root = document.getElementById('app')
if (root) render(() => <App />, root)
