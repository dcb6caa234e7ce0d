// Fonts are the reader's own: the site asks no other host for anything, and brings none.
import theme from 'vitepress/theme-without-fonts'
import './style.css'

export default theme
