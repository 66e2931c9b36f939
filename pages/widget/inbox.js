var ve=globalThis,we=ve.ShadowRoot&&(ve.ShadyCSS===void 0||ve.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,mt=Symbol(),Ft=new WeakMap,oe=class{constructor(e,n,i){if(this._$cssResult$=!0,i!==mt)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=e,this.t=n}get styleSheet(){let e=this.o,n=this.t;if(we&&e===void 0){let i=n!==void 0&&n.length===1;i&&(e=Ft.get(n)),e===void 0&&((this.o=e=new CSSStyleSheet).replaceSync(this.cssText),i&&Ft.set(n,e))}return e}toString(){return this.cssText}},Wt=t=>new oe(typeof t=="string"?t:t+"",void 0,mt),C=(t,...e)=>{let n=t.length===1?t[0]:e.reduce((i,r,s)=>i+(o=>{if(o._$cssResult$===!0)return o.cssText;if(typeof o=="number")return o;throw Error("Value passed to 'css' function must be a 'css' function result: "+o+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(r)+t[s+1],t[0]);return new oe(n,t,mt)},Jt=(t,e)=>{if(we)t.adoptedStyleSheets=e.map(n=>n instanceof CSSStyleSheet?n:n.styleSheet);else for(let n of e){let i=document.createElement("style"),r=ve.litNonce;r!==void 0&&i.setAttribute("nonce",r),i.textContent=n.cssText,t.appendChild(i)}},ft=we?t=>t:t=>t instanceof CSSStyleSheet?(e=>{let n="";for(let i of e.cssRules)n+=i.cssText;return Wt(n)})(t):t;var{is:ai,defineProperty:di,getOwnPropertyDescriptor:li,getOwnPropertyNames:ci,getOwnPropertySymbols:ui,getPrototypeOf:pi}=Object,$e=globalThis,Vt=$e.trustedTypes,hi=Vt?Vt.emptyScript:"",mi=$e.reactiveElementPolyfillSupport,ae=(t,e)=>t,gt={toAttribute(t,e){switch(e){case Boolean:t=t?hi:null;break;case Object:case Array:t=t==null?t:JSON.stringify(t)}return t},fromAttribute(t,e){let n=t;switch(e){case Boolean:n=t!==null;break;case Number:n=t===null?null:Number(t);break;case Object:case Array:try{n=JSON.parse(t)}catch{n=null}}return n}},Yt=(t,e)=>!ai(t,e),Bt={attribute:!0,type:String,converter:gt,reflect:!1,useDefault:!1,hasChanged:Yt};Symbol.metadata??=Symbol("metadata"),$e.litPropertyMetadata??=new WeakMap;var M=class extends HTMLElement{static addInitializer(e){this._$Ei(),(this.l??=[]).push(e)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(e,n=Bt){if(n.state&&(n.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(e)&&((n=Object.create(n)).wrapped=!0),this.elementProperties.set(e,n),!n.noAccessor){let i=Symbol(),r=this.getPropertyDescriptor(e,i,n);r!==void 0&&di(this.prototype,e,r)}}static getPropertyDescriptor(e,n,i){let{get:r,set:s}=li(this.prototype,e)??{get(){return this[n]},set(o){this[n]=o}};return{get:r,set(o){let d=r?.call(this);s?.call(this,o),this.requestUpdate(e,d,i)},configurable:!0,enumerable:!0}}static getPropertyOptions(e){return this.elementProperties.get(e)??Bt}static _$Ei(){if(this.hasOwnProperty(ae("elementProperties")))return;let e=pi(this);e.finalize(),e.l!==void 0&&(this.l=[...e.l]),this.elementProperties=new Map(e.elementProperties)}static finalize(){if(this.hasOwnProperty(ae("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(ae("properties"))){let n=this.properties,i=[...ci(n),...ui(n)];for(let r of i)this.createProperty(r,n[r])}let e=this[Symbol.metadata];if(e!==null){let n=litPropertyMetadata.get(e);if(n!==void 0)for(let[i,r]of n)this.elementProperties.set(i,r)}this._$Eh=new Map;for(let[n,i]of this.elementProperties){let r=this._$Eu(n,i);r!==void 0&&this._$Eh.set(r,n)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(e){let n=[];if(Array.isArray(e)){let i=new Set(e.flat(1/0).reverse());for(let r of i)n.unshift(ft(r))}else e!==void 0&&n.push(ft(e));return n}static _$Eu(e,n){let i=n.attribute;return i===!1?void 0:typeof i=="string"?i:typeof e=="string"?e.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(e=>this.enableUpdating=e),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(e=>e(this))}addController(e){(this._$EO??=new Set).add(e),this.renderRoot!==void 0&&this.isConnected&&e.hostConnected?.()}removeController(e){this._$EO?.delete(e)}_$E_(){let e=new Map,n=this.constructor.elementProperties;for(let i of n.keys())this.hasOwnProperty(i)&&(e.set(i,this[i]),delete this[i]);e.size>0&&(this._$Ep=e)}createRenderRoot(){let e=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return Jt(e,this.constructor.elementStyles),e}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(e=>e.hostConnected?.())}enableUpdating(e){}disconnectedCallback(){this._$EO?.forEach(e=>e.hostDisconnected?.())}attributeChangedCallback(e,n,i){this._$AK(e,i)}_$ET(e,n){let i=this.constructor.elementProperties.get(e),r=this.constructor._$Eu(e,i);if(r!==void 0&&i.reflect===!0){let s=(i.converter?.toAttribute!==void 0?i.converter:gt).toAttribute(n,i.type);this._$Em=e,s==null?this.removeAttribute(r):this.setAttribute(r,s),this._$Em=null}}_$AK(e,n){let i=this.constructor,r=i._$Eh.get(e);if(r!==void 0&&this._$Em!==r){let s=i.getPropertyOptions(r),o=typeof s.converter=="function"?{fromAttribute:s.converter}:s.converter?.fromAttribute!==void 0?s.converter:gt;this._$Em=r;let d=o.fromAttribute(n,s.type);this[r]=d??this._$Ej?.get(r)??d,this._$Em=null}}requestUpdate(e,n,i,r=!1,s){if(e!==void 0){let o=this.constructor;if(r===!1&&(s=this[e]),i??=o.getPropertyOptions(e),!((i.hasChanged??Yt)(s,n)||i.useDefault&&i.reflect&&s===this._$Ej?.get(e)&&!this.hasAttribute(o._$Eu(e,i))))return;this.C(e,n,i)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(e,n,{useDefault:i,reflect:r,wrapped:s},o){i&&!(this._$Ej??=new Map).has(e)&&(this._$Ej.set(e,o??n??this[e]),s!==!0||o!==void 0)||(this._$AL.has(e)||(this.hasUpdated||i||(n=void 0),this._$AL.set(e,n)),r===!0&&this._$Em!==e&&(this._$Eq??=new Set).add(e))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(n){Promise.reject(n)}let e=this.scheduleUpdate();return e!=null&&await e,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[r,s]of this._$Ep)this[r]=s;this._$Ep=void 0}let i=this.constructor.elementProperties;if(i.size>0)for(let[r,s]of i){let{wrapped:o}=s,d=this[r];o!==!0||this._$AL.has(r)||d===void 0||this.C(r,void 0,s,d)}}let e=!1,n=this._$AL;try{e=this.shouldUpdate(n),e?(this.willUpdate(n),this._$EO?.forEach(i=>i.hostUpdate?.()),this.update(n)):this._$EM()}catch(i){throw e=!1,this._$EM(),i}e&&this._$AE(n)}willUpdate(e){}_$AE(e){this._$EO?.forEach(n=>n.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(e)),this.updated(e)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(e){return!0}update(e){this._$Eq&&=this._$Eq.forEach(n=>this._$ET(n,this[n])),this._$EM()}updated(e){}firstUpdated(e){}};M.elementStyles=[],M.shadowRootOptions={mode:"open"},M[ae("elementProperties")]=new Map,M[ae("finalized")]=new Map,mi?.({ReactiveElement:M}),($e.reactiveElementVersions??=[]).push("2.1.2");var yt=globalThis,Qt=t=>t,ke=yt.trustedTypes,Kt=ke?ke.createPolicy("lit-html",{createHTML:t=>t}):void 0,vt="$lit$",L=`lit$${Math.random().toFixed(9).slice(2)}$`,wt="?"+L,fi=`<${wt}>`,V=document,le=()=>V.createComment(""),ce=t=>t===null||typeof t!="object"&&typeof t!="function",$t=Array.isArray,nn=t=>$t(t)||typeof t?.[Symbol.iterator]=="function",bt=`[ 	
\f\r]`,de=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,Gt=/-->/g,Zt=/>/g,W=RegExp(`>|${bt}(?:([^\\s"'>=/]+)(${bt}*=${bt}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),Xt=/'/g,en=/"/g,rn=/^(?:script|style|textarea|title)$/i,kt=t=>(e,...n)=>({_$litType$:t,strings:e,values:n}),a=kt(1),A=kt(2),zr=kt(3),P=Symbol.for("lit-noChange"),l=Symbol.for("lit-nothing"),tn=new WeakMap,J=V.createTreeWalker(V,129);function sn(t,e){if(!$t(t)||!t.hasOwnProperty("raw"))throw Error("invalid template strings array");return Kt!==void 0?Kt.createHTML(e):e}var on=(t,e)=>{let n=t.length-1,i=[],r,s=e===2?"<svg>":e===3?"<math>":"",o=de;for(let d=0;d<n;d++){let c=t[d],p,g,m=-1,v=0;for(;v<c.length&&(o.lastIndex=v,g=o.exec(c),g!==null);)v=o.lastIndex,o===de?g[1]==="!--"?o=Gt:g[1]!==void 0?o=Zt:g[2]!==void 0?(rn.test(g[2])&&(r=RegExp("</"+g[2],"g")),o=W):g[3]!==void 0&&(o=W):o===W?g[0]===">"?(o=r??de,m=-1):g[1]===void 0?m=-2:(m=o.lastIndex-g[2].length,p=g[1],o=g[3]===void 0?W:g[3]==='"'?en:Xt):o===en||o===Xt?o=W:o===Gt||o===Zt?o=de:(o=W,r=void 0);let b=o===W&&t[d+1].startsWith("/>")?" ":"";s+=o===de?c+fi:m>=0?(i.push(p),c.slice(0,m)+vt+c.slice(m)+L+b):c+L+(m===-2?d:b)}return[sn(t,s+(t[n]||"<?>")+(e===2?"</svg>":e===3?"</math>":"")),i]},ue=class t{constructor({strings:e,_$litType$:n},i){let r;this.parts=[];let s=0,o=0,d=e.length-1,c=this.parts,[p,g]=on(e,n);if(this.el=t.createElement(p,i),J.currentNode=this.el.content,n===2||n===3){let m=this.el.content.firstChild;m.replaceWith(...m.childNodes)}for(;(r=J.nextNode())!==null&&c.length<d;){if(r.nodeType===1){if(r.hasAttributes())for(let m of r.getAttributeNames())if(m.endsWith(vt)){let v=g[o++],b=r.getAttribute(m).split(L),_=/([.?@])?(.*)/.exec(v);c.push({type:1,index:s,name:_[2],strings:b,ctor:_[1]==="."?_e:_[1]==="?"?Ae:_[1]==="@"?Se:Y}),r.removeAttribute(m)}else m.startsWith(L)&&(c.push({type:6,index:s}),r.removeAttribute(m));if(rn.test(r.tagName)){let m=r.textContent.split(L),v=m.length-1;if(v>0){r.textContent=ke?ke.emptyScript:"";for(let b=0;b<v;b++)r.append(m[b],le()),J.nextNode(),c.push({type:2,index:++s});r.append(m[v],le())}}}else if(r.nodeType===8)if(r.data===wt)c.push({type:2,index:s});else{let m=-1;for(;(m=r.data.indexOf(L,m+1))!==-1;)c.push({type:7,index:s}),m+=L.length-1}s++}}static createElement(e,n){let i=V.createElement("template");return i.innerHTML=e,i}};function B(t,e,n=t,i){if(e===P)return e;let r=i!==void 0?n._$Co?.[i]:n._$Cl,s=ce(e)?void 0:e._$litDirective$;return r?.constructor!==s&&(r?._$AO?.(!1),s===void 0?r=void 0:(r=new s(t),r._$AT(t,n,i)),i!==void 0?(n._$Co??=[])[i]=r:n._$Cl=r),r!==void 0&&(e=B(t,r._$AS(t,e.values),r,i)),e}var xe=class{constructor(e,n){this._$AV=[],this._$AN=void 0,this._$AD=e,this._$AM=n}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(e){let{el:{content:n},parts:i}=this._$AD,r=(e?.creationScope??V).importNode(n,!0);J.currentNode=r;let s=J.nextNode(),o=0,d=0,c=i[0];for(;c!==void 0;){if(o===c.index){let p;c.type===2?p=new G(s,s.nextSibling,this,e):c.type===1?p=new c.ctor(s,c.name,c.strings,this,e):c.type===6&&(p=new Te(s,this,e)),this._$AV.push(p),c=i[++d]}o!==c?.index&&(s=J.nextNode(),o++)}return J.currentNode=V,r}p(e){let n=0;for(let i of this._$AV)i!==void 0&&(i.strings!==void 0?(i._$AI(e,i,n),n+=i.strings.length-2):i._$AI(e[n])),n++}},G=class t{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(e,n,i,r){this.type=2,this._$AH=l,this._$AN=void 0,this._$AA=e,this._$AB=n,this._$AM=i,this.options=r,this._$Cv=r?.isConnected??!0}get parentNode(){let e=this._$AA.parentNode,n=this._$AM;return n!==void 0&&e?.nodeType===11&&(e=n.parentNode),e}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(e,n=this){e=B(this,e,n),ce(e)?e===l||e==null||e===""?(this._$AH!==l&&this._$AR(),this._$AH=l):e!==this._$AH&&e!==P&&this._(e):e._$litType$!==void 0?this.$(e):e.nodeType!==void 0?this.T(e):nn(e)?this.k(e):this._(e)}O(e){return this._$AA.parentNode.insertBefore(e,this._$AB)}T(e){this._$AH!==e&&(this._$AR(),this._$AH=this.O(e))}_(e){this._$AH!==l&&ce(this._$AH)?this._$AA.nextSibling.data=e:this.T(V.createTextNode(e)),this._$AH=e}$(e){let{values:n,_$litType$:i}=e,r=typeof i=="number"?this._$AC(e):(i.el===void 0&&(i.el=ue.createElement(sn(i.h,i.h[0]),this.options)),i);if(this._$AH?._$AD===r)this._$AH.p(n);else{let s=new xe(r,this),o=s.u(this.options);s.p(n),this.T(o),this._$AH=s}}_$AC(e){let n=tn.get(e.strings);return n===void 0&&tn.set(e.strings,n=new ue(e)),n}k(e){$t(this._$AH)||(this._$AH=[],this._$AR());let n=this._$AH,i,r=0;for(let s of e)r===n.length?n.push(i=new t(this.O(le()),this.O(le()),this,this.options)):i=n[r],i._$AI(s),r++;r<n.length&&(this._$AR(i&&i._$AB.nextSibling,r),n.length=r)}_$AR(e=this._$AA.nextSibling,n){for(this._$AP?.(!1,!0,n);e!==this._$AB;){let i=Qt(e).nextSibling;Qt(e).remove(),e=i}}setConnected(e){this._$AM===void 0&&(this._$Cv=e,this._$AP?.(e))}},Y=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(e,n,i,r,s){this.type=1,this._$AH=l,this._$AN=void 0,this.element=e,this.name=n,this._$AM=r,this.options=s,i.length>2||i[0]!==""||i[1]!==""?(this._$AH=Array(i.length-1).fill(new String),this.strings=i):this._$AH=l}_$AI(e,n=this,i,r){let s=this.strings,o=!1;if(s===void 0)e=B(this,e,n,0),o=!ce(e)||e!==this._$AH&&e!==P,o&&(this._$AH=e);else{let d=e,c,p;for(e=s[0],c=0;c<s.length-1;c++)p=B(this,d[i+c],n,c),p===P&&(p=this._$AH[c]),o||=!ce(p)||p!==this._$AH[c],p===l?e=l:e!==l&&(e+=(p??"")+s[c+1]),this._$AH[c]=p}o&&!r&&this.j(e)}j(e){e===l?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,e??"")}},_e=class extends Y{constructor(){super(...arguments),this.type=3}j(e){this.element[this.name]=e===l?void 0:e}},Ae=class extends Y{constructor(){super(...arguments),this.type=4}j(e){this.element.toggleAttribute(this.name,!!e&&e!==l)}},Se=class extends Y{constructor(e,n,i,r,s){super(e,n,i,r,s),this.type=5}_$AI(e,n=this){if((e=B(this,e,n,0)??l)===P)return;let i=this._$AH,r=e===l&&i!==l||e.capture!==i.capture||e.once!==i.once||e.passive!==i.passive,s=e!==l&&(i===l||r);r&&this.element.removeEventListener(this.name,this,i),s&&this.element.addEventListener(this.name,this,e),this._$AH=e}handleEvent(e){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,e):this._$AH.handleEvent(e)}},Te=class{constructor(e,n,i){this.element=e,this.type=6,this._$AN=void 0,this._$AM=n,this.options=i}get _$AU(){return this._$AM._$AU}_$AI(e){B(this,e)}},an={M:vt,P:L,A:wt,C:1,L:on,R:xe,D:nn,V:B,I:G,H:Y,N:Ae,U:Se,B:_e,F:Te},gi=yt.litHtmlPolyfillSupport;gi?.(ue,G),(yt.litHtmlVersions??=[]).push("3.3.3");var dn=(t,e,n)=>{let i=n?.renderBefore??e,r=i._$litPart$;if(r===void 0){let s=n?.renderBefore??null;i._$litPart$=r=new G(e.insertBefore(le(),s),s,void 0,n??{})}return r._$AI(t),r};var xt=globalThis,y=class extends M{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let e=super.createRenderRoot();return this.renderOptions.renderBefore??=e.firstChild,e}update(e){let n=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(e),this._$Do=dn(n,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return P}};y._$litElement$=!0,y.finalized=!0,xt.litElementHydrateSupport?.({LitElement:y});var bi=xt.litElementPolyfillSupport;bi?.({LitElement:y});(xt.litElementVersions??=[]).push("4.2.2");var ln="0 w 2n y c 1 ip 1 14 2 6 4 7 1 1 1 k 1 b1 1 12 2 1e 2 3 1 1j 8 r 4 6 h m 1 5c 1 1c 2 1n 2 2t e 1n 2 1d 2 f 1 s 2 1 1 b 5 v 9 22 1 4h 1 8 2 2 2 m 1 7 1 1 3 4 2 9 2 2 2 4 8 1 4 2 1 5 2 p 2 3 1 6 4 2 2 m 1 7 1 2 1 2 1 2 2 1 1 5 4 2 2 3 3 1 7 4 1 1 7 h a 3 1 9 1 3 1 m 1 7 1 2 1 5 2 a 1 3 1 3 2 1 f 4 2 c 7 7 1 3 1 8 2 2 2 m 1 7 1 2 1 5 2 9 2 2 2 3 7 3 4 2 1 5 2 i a 2 1 6 3 3 1 4 3 2 1 1 1 2 3 2 3 3 3 c 4 5 3 3 1 4 2 1 6 1 e l 5 d 1 3 1 n 1 g 2 9 1 3 1 4 7 2 1 3 2 1 2 4 2 a 7 m 1 3 1 n 1 a 1 5 2 9 1 3 1 4 7 2 6 2 1 4 2 a 1 3 c d 1 3 1 1f 1 3 1 6 4 g 2 q 1 3 1 i 3 o 1 9 1 1 2 7 3 1 4 6 1 1 1 8 6 a 2 3 c 1m 4 t 11 2 1 1 1 5 1 o 1 1 1 n 2 5 1 1 1 7 1 a 2 4 w 20 1 10 4 13 1 10 1 f 1 d 11 5i 1 1 5 1 2 3z 2 6g 1 4 2 7 1 1 1 4 2 15 1 4 2 x 1 4 2 7 1 1 1 4 2 f 1 1l 1 4 2 1v 2 w 3 q 6 2e 2 6 2 hs 1 s 3 2h 7 m 9 o 9 k c d 1 3 1 2 c 1g 2 14 2 a 6 a 6 b 5 a 6 2h 7 17 5 1y a v 1 c 4 c 4 1 3 16 2 5 b 18 4 q 6 b 3 1q 2 1t 1 t 2 b 6 a 6 e 2 v 1d 25 3 1b 1 38 8 1o 3 f 3 1o 7 17 2 b 8 17 5 eu 2 6 2 12 2 6 2 8 1 1 1 1 1 1 1 v 2 1h 1 f 1 e 2 6 1 j 2 3 1 9 h o 8 1b h 2 2 r 1 d 3 x f x f 3w 4 if p b l ps 1 oj 2 w 1 9p 5 19 1 1 5 1 2 1k 7 2 e o 9 7 1 7 1 7 1 7 1 7 1 7 1 7 1 7 1 3i y q 1 2h c 5y q c 5 1q 2 2e 2 2v 5 17 1 1f 1 16 1 2c c 1b 1 mlp 3 1j 9 9o k 54 8 5n 5 2 1 1 1 5 o 1n 3 a 6 1k 8 1y 8 c 6 38 b u 3 26 1 b 4 x 1 1j 9 e 2 a 2 2v o s a 6 2 6 2 6 9 7 1 7 1 1o 4 3i 2 a 6 8mc c n 4 1d 6is a6 2 2y 12 7 c 5 5 q 1 5 1 1 1 2 1 2 1 3h g cd 2 1i 7 1 w g g a 6 1f 1 j 1 4 4 5 1 3r 4 4f 1 u 3 6 2 6 2 6 2 3 3 7 1 7 e 1 2 c 1 q 1 j 1 2 1 f 2 e y 3f 5 3 4 19 3 2g 1 d 3 1 1b 1a 3m t 3 1d f s 4 10 9 u 5 17 5 u 1 11 4 e 16 4e 2 a 6 10 4 10 4 14 8 1g b c 1 f 1 7 1 2 1 b 1 f 1 7 1 2 1v 8n 9 m a 8 o 6 1 16 1 9 1x 6 2 1 1 18 1 2 3 1 2 n 1 20 8 9 1c j 1 2 5 x 3 r 5 1 1s 1k 4 k 2 1e 1 2 5 8 1 3 1 t 2 3 4 a 7 9 7 1s w 13 4 c 9 1i 3 t 2 r 5 q 7 4 c 7 28 21 1j 1f d 1f 7 1a 8 a 86 v 1 16 1 3 2 2 23 17 8 16 m q 12 s k n 9 26 4 10 9 1q 1 5 d p 7 a 6 1h 1 i 8 13 9 2o 1 k b i 1 1b 1q 7 1 1 1 4 1 f 1 b 6 1n 5 a 6 4 1 8 2 2 2 m 1 7 1 2 1 5 1 a 2 2 2 3 2 1 6 1 5 7 2 7 3 5 3v 2k 1 5 u 20 8 a 4m 1i 2 12 y 1x b a 6 d j 1m 6 a 1i r 2 f 4 n 55 1o 2s 2b c 8 2 1 2 8 1 2 1 u 1 2 2 c 9 a 1y 8 2 1a 2 b r 20 8 2b d 21 7 a 6u 9 1 19 1 e a t 3 w 2 m 1 e 21 7 1 2 1 18 3 1 1 2 1 9 8 a 6 6 1 2 1 11 1 2 1 6 7 a 8m p 7 h 1 15 3 s 2e 1 f 1e d pn 2u 33 1 5 b 5g 218 2r d ts g 1 2 j 33e g7 6nt ft 7 v 1 a 4 29 1 a 6 u 2 6 a 1y a a 1 7 1 l 5 j j4 2j 2t 23 4 1l 7 h 1s 4 c 2 e 4qg 8 ye 16 9 6w7 4 1 7 1 2 1 83 f 1 t 3 2 1 e 4 8 b0 1s4 2z 5 d 3 9 7 a 2 4 3mo 1a 2 n 9 38 1o 6u a 13 2 1c 1 p 8 34 l 1y 3e k c k c 2f 9 p 3r 2d 1 1z 1 2 2 1 2 2 2 4 1 c 1 1 1 7 1 1t 1 4 2 8 1 7 1 s 1 4 1 5 1 1 3 7 1 9g 2 84 2 ji f 5 1 f uo v 6 6 5x 7 1 h 2 7 1 2 1 5 5 1q x 1 34 19 3 e 2 a 4 2 8w v h 1m 5 1 cw 16 km 7 1 4 1 2 1 f 1 5h 2 g 15 24 4 a 4 2 lt 1w 24 1p 5e 4 1 r 1 2 1 1 2 1 1 a 1 4 1 1 1 1 6 1 4 1 1 1 1 1 1 3 1 2 1 1 2 1 1 1 1 1 1 1 1 1 1 2 1 1 2 4 1 7 1 4 1 4 1 1 1 a 1 h 5 3 1 5 1 h 1g 2 7i 18 4 2s c f 2 f 1 f 1 11 a 4u 1k t d 18 4 9 7 2 e 6 4a rc 4 h 3 d 3 3b 4 2n 6 c 4 1 f c 4 1k 8 a 6 14 8 u 2 2 26 9g c e 2 d 3 9 7 1a 1 7 8 e 4 9 7 9 7 43 1 1j 11 a sm wyo w 37e 6 66 2 4g2 e 5rl 2e7 f2 15u 3t7 5 38g jgwg";var Ee;function Re(t){if(!Ee){let i=0;Ee=ln.split(" ").map(r=>i+=parseInt(r,36))}let[e,n]=[0,Ee.length];for(;e<n;){let i=e+n>>1;Ee[i]<=t?e=i+1:n=i}return e%2===1}function yi(t){return Re(t)&&!/[\p{Zs}\u200c\u200d\ufe0e\ufe0f]/u.test(String.fromCodePoint(t))}var Z=/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;function _t(t){return Z.test(t)?"rtl":"ltr"}function At(t,e){if(/^[ -~]*$/.test(t))return t;let n="";for(let i of t)n+=e(i.codePointAt(0))?un(i):i;return n}function un(t){return Array.from({length:t.length},(e,n)=>"\\u"+t.charCodeAt(n).toString(16).padStart(4,"0")).join("")}function f(t){return wi(At(t,Re))}function Pe(t){let e=f(t);return Z.test(e)?`⁨${e}⁩`:e}var pn=t=>t!==9&&t!==10;function Q(t){return At(t,e=>pn(e)&&Re(e))}var vi=/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;function U(t){return At(t.replace(vi,""),e=>pn(e)&&yi(e))}function wi(t){return Z.test(t)?t.split(`
`).map(e=>$i(e)?e:Array.from(e,n=>Z.test(n)?un(n):n).join("")).join(`
`):t}function $i(t){let e=0,n=!1;for(let{kind:i,text:r}of St(t)){let s=/\p{L}/u.test(r);if(i==="phrase")e++;else{if(/\p{N}/u.test(r)||s&&e>0&&!n)return!1;s&&(n=!0)}}return e<=1}var Ce=Z.source,cn=`(?:(?!\\p{N})${Ce}|\\p{M})`,ki=new RegExp(`(?<number>(?:(?=\\p{N})${Ce})+)|(?<phrase>(?=${Ce})${cn}+(?:[,.;:!?]? (?=${Ce})${cn}+)*)`,"gu");function St(t){let e=[],n=0,i=r=>{r>n&&e.push({text:t.slice(n,r)})};for(let r of t.matchAll(ki))i(r.index),e.push({kind:r.groups.number===void 0?"phrase":"number",text:r[0]}),n=r.index+r[0].length;return i(t.length),e}function hn(t){return t.replace(/\\(?:u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|u([0-9a-f]{4})|[^])/giu,(e,n,i,r)=>{let s=r===void 0?[n,i]:[r];if(s[0]===void 0)return e;let o=String.fromCharCode(...s.map(d=>parseInt(d,16)));return Z.test(o)&&!Re(o.codePointAt(0))?o:e})}function K(t){try{return JSON.parse(t)}catch{return}}function h(t){return typeof t=="object"&&t!==null&&!Array.isArray(t)?t:void 0}function $(t){return Array.isArray(t)?t:[]}function u(t){return typeof t=="string"?t:void 0}function Ie(t){if(K(t)===void 0)return Q(t);let e="",n=0,i=()=>`
`+"  ".repeat(n);for(let r of t.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)??[])switch(r){case"{":case"[":n++,e+=r+i();break;case"}":case"]":n--,e=/[{[]\s*$/.test(e)?e.trimEnd()+r:e+i()+r;break;case",":e+=r+i();break;case":":e+=": ";break;default:e+=Q(r)}return e}var Tt=class{#e="";#t=[];#n=!1;push(e){!this.#n&&e!==""&&(this.#n=!0,e=e.replace(/^\ufeff/,""));let n=this.#e+e,i=[],r=/\r\n|\n|\r(?!$)/g,s=0;for(let o=r.exec(n);o;o=r.exec(n))this.#i(n.slice(s,o.index),i),s=r.lastIndex;return this.#e=n.slice(s),i}#i(e,n){e===""?(this.#t.length>0&&n.push(this.#t.join(`
`)),this.#t=[]):(e==="data"||e.startsWith("data:"))&&this.#t.push(e.slice(5).replace(/^ /,""))}};async function*mn(t){let e=new Tt,n=new TextDecoder,i=t.getReader();try{for(;;){let{done:r,value:s}=await i.read();if(r)return;yield e.push(n.decode(s,{stream:!0}))}}finally{i.cancel().catch(()=>{})}}var S=class extends Error{constructor(n,i){super(i||"Something went wrong at the server. Try again.");this.status=n}status},xi="The server could not be reached. Check your connection and try again.";async function w(t,e={}){return K(await(await fn(t,e)).text())}async function fn(t,e){let n;try{n=await fetch(t,{cache:"no-store",credentials:"same-origin",...e})}catch(r){throw e.signal?.aborted?r:new S(0,xi)}if(n.ok)return n;n.status===401&&Ai();let i=h(K(await n.text().catch(()=>"")));throw new S(n.status,_i(i)??u(i?.detail)??u(i?.error))}function _i(t){let e=$(t?.errors).flatMap(n=>u(h(n)?.message)??[]);return e.length>0?`This was not taken: ${e.join("; ")}.`:void 0}function Ai(){location.assign(`/login?next=${encodeURIComponent(location.pathname)}`)}var Si=429,gn=1e4;async function bn(t,e,n){let i=JSON.stringify({elicitationId:t,action:e,...n&&{content:n}});for(let r=1e3;;r=Math.min(2*r,gn))try{await w(`/answer/${encodeURIComponent(t)}`,{method:"POST",body:i,headers:{"content-type":"application/json"}});return}catch(s){if(!(s instanceof S)||s.status!==Si)throw s;await vn(r)}}async function yn(t,e,n){for(let i=500;!n.aborted;i=Math.min(2*i,gn)){try{let r=await fn(`/api/elicitations/events?user=${encodeURIComponent(t)}`,{signal:n});for await(let s of mn(r.body)){i=500,e.connected(!0);for(let o of s)Ti(e,h(K(o)))}}catch{}if(n.aborted)return;e.connected(!1),await vn(i)}}function Ti(t,e){e?.id===void 0?t.reload():t.item(e)}var vn=t=>new Promise(e=>setTimeout(e,t));var k=C`
  :host {
    color-scheme: light dark;
    --_background: var(--parley-background, light-dark(#ffffff, #15171b));
    --_surface: var(--parley-surface, light-dark(#ffffff, #1e2127));
    --_sunken: var(--parley-sunken, light-dark(#f3f5f8, #272b33));
    --_bubble: var(--parley-bubble, light-dark(#e4edf9, #24374f));
    --_text: var(--parley-text, light-dark(#1a1d23, #eceef2));
    --_muted: var(--parley-muted, light-dark(#4b5261, #b3bac7));
    --_line: var(--parley-line, light-dark(#7f8796, #7d8594));
    --_hair: var(--parley-hair, light-dark(#dde1e8, #363b45));
    --_accent: var(--parley-accent, light-dark(#1d4f91, #9cc2f5));
    --_accent-text: var(--parley-accent-text, light-dark(#ffffff, #0e1826));
    --_danger: var(--parley-danger, light-dark(#a4161a, #ffa3a3));
    --_success: var(--parley-success, light-dark(#17633a, #8bdcaa));
    --_warning: var(--parley-warning, light-dark(#7a4a00, #f3c775));
    --_radius: var(--parley-radius, 0.875rem);
    --_radius-small: min(var(--_radius), 0.5rem);
    --_font: var(--parley-font, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif);
    --_mono: var(--parley-mono, ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace);
    font-family: var(--_font);
    font-size: var(--parley-font-size, 0.9375rem);
    line-height: 1.5;
    color: var(--_text);
    overflow-wrap: anywhere;
  }
  :host([theme="light"]) {
    color-scheme: light;
  }
  :host([theme="dark"]) {
    color-scheme: dark;
  }
  :host([hidden]) {
    display: none;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  p,
  h2,
  h3,
  pre,
  ul,
  ol,
  dl,
  dd,
  figure,
  blockquote {
    margin: 0;
  }
  a {
    color: var(--_accent);
    text-underline-offset: 0.15em;
  }
  code,
  pre {
    font-family: var(--_mono);
    font-size: 0.9em;
  }
  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  .hidden {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  svg {
    display: block;
    flex: none;
    inline-size: 1.25em;
    block-size: 1.25em;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.75;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation: none !important;
      transition: none !important;
      scroll-behavior: auto !important;
    }
  }
`,x=C`
  button,
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.5em;
    min-block-size: 2.625rem;
    padding: 0.45rem 1rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius-small);
    background: var(--_surface);
    color: var(--_text);
    font: inherit;
    font-weight: 600;
    text-align: center;
    text-decoration: none;
    cursor: pointer;
    transition:
      background-color 0.12s,
      border-color 0.12s,
      filter 0.12s;
  }
  button:hover,
  .button:hover {
    border-color: var(--_text);
    background: var(--_sunken);
  }
  .primary {
    border-color: var(--_accent);
    background: var(--_accent);
    color: var(--_accent-text);
  }
  .primary:hover {
    border-color: var(--_accent);
    background: color-mix(in srgb, var(--_accent) 88%, var(--_text));
  }
  button[aria-disabled="true"] {
    cursor: default;
    opacity: 0.6;
  }
  .quiet,
  .quiet:hover {
    border-color: transparent;
    background: none;
    color: var(--_muted);
  }
  .quiet:hover {
    background: var(--_sunken);
    color: var(--_text);
  }
  .link,
  .link:hover {
    display: inline;
    min-block-size: 0;
    padding: 0;
    border: 0;
    background: none;
    color: var(--_accent);
    font-weight: 500;
    text-decoration: underline;
    text-underline-offset: 0.15em;
  }
  input:not([type="checkbox"], [type="radio"]),
  select,
  textarea {
    inline-size: 100%;
    min-block-size: 2.625rem;
    padding: 0.5rem 0.7rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius-small);
    background: var(--_background);
    color: inherit;
    font: inherit;
  }
  @media (pointer: coarse) {
    input:not([type="checkbox"], [type="radio"]),
    select,
    textarea {
      font-size: max(1rem, 1em); /* below that, phones zoom in */
    }
  }
`;var wn={questions:"Questions",history:"History",connections:"Connections",permissions:"Permissions",notifications:"Notifications"},Oe=class extends y{static styles=[k,x,C`
      :host {
        display: block;
      }
      nav {
        display: flex;
        flex-wrap: wrap;
        gap: 0.25rem;
        margin-block-end: 1rem;
        border-block-end: 1px solid var(--_hair);
      }
      nav a {
        padding: 0.6rem 0.8rem;
        border-block-end: 3px solid transparent;
        color: var(--_muted);
        font-weight: 600;
        text-decoration: none;
      }
      nav a:hover {
        color: var(--_text);
      }
      nav a[aria-current="page"] {
        border-color: var(--_accent);
        color: var(--_text);
      }
      .count {
        padding: 0 0.5rem;
        border-radius: 1rem;
        background: var(--_accent);
        color: var(--_accent-text);
        font-size: 0.85em;
      }
      @media (max-width: 30rem) {
        nav {
          gap: 0;
        }
        nav a {
          padding: 0.6rem 0.3rem;
          font-size: 0.8rem;
        }
        nav .count {
          display: none; /* it stands in the header of the page */
        }
      }
    `];static properties={user:{},_count:{state:!0},_part:{state:!0}};#e=0;constructor(){super(),this.user=this._count="",this._part="questions"}connectedCallback(){super.connectedCallback(),window.addEventListener("hashchange",this.#n),document.addEventListener("visibilitychange",this.#t),this.#e=window.setInterval(this.#t,15e3),this.#n(),this.#t()}disconnectedCallback(){super.disconnectedCallback(),window.removeEventListener("hashchange",this.#n),document.removeEventListener("visibilitychange",this.#t),window.clearInterval(this.#e)}#t=()=>{document.visibilityState!=="visible"||this._part!=="questions"||w("/api/me/looking",{method:"POST",body:"{}",headers:{"content-type":"application/json"}}).catch(()=>{})};#n=()=>{let e=location.hash.slice(1);this._part=e in wn?e:"questions"};render(){return a`<nav aria-label="Inbox">
        ${Object.entries(wn).map(([e,n])=>a`<a href="#${e}" aria-current=${e===this._part?"page":"false"}>${n}
            ${e==="questions"&&this._count?a`<span class="count">${this._count}</span>`:""}</a>`)}
      </nav>
      <parley-inbox-questions .user=${this.user} ?hidden=${this._part!=="questions"} @inbox-count=${this.#r}></parley-inbox-questions>
      ${this.#i()}`}#i(){switch(this._part){case"history":return a`<parley-inbox-history .user=${this.user}></parley-inbox-history>`;case"connections":return a`<parley-inbox-connections .user=${this.user}></parley-inbox-connections>`;case"permissions":return a`<parley-inbox-permissions .user=${this.user}></parley-inbox-permissions>`;case"notifications":return a`<parley-inbox-notifications></parley-inbox-notifications>`;default:return a``}}#r=e=>{this._count=e.detail,document.title=(e.detail?`(${e.detail}) `:"")+document.title.replace(/^\(\d+\+?\) /,"");let n=document.querySelector(".places .count");n&&(n.textContent=e.detail||"0")}};var E=C`
  :host {
    display: block;
  }
  h2 {
    font-size: 1.1rem;
    line-height: 1.3;
  }
  .muted,
  .meta {
    color: var(--_muted);
  }
  .meta {
    font-size: 0.85rem;
  }
  .problem,
  .notice {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    align-items: center;
    padding: 0.6rem 0.9rem;
    border-radius: var(--_radius-small);
    background: var(--_sunken);
  }
  .problem {
    color: var(--_danger);
  }
  .empty {
    padding: 2.5rem 1rem;
    text-align: center;
    color: var(--_muted);
  }
  .good {
    color: var(--_success);
  }
  .bad {
    color: var(--_danger);
  }
  .things {
    display: grid;
    gap: 0.6rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .thing {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4rem 1rem;
    align-items: start;
    padding: 0.8rem 1rem;
    border: 1px solid var(--_hair);
    border-radius: var(--_radius-small);
    background: var(--_surface);
    content-visibility: auto;
    contain-intrinsic-size: auto 5rem;
  }
  .thing > .about {
    flex: 1 1 18rem;
    min-inline-size: 0;
  }
  section[aria-labelledby] {
    display: grid;
    gap: 0.6rem;
    margin-block-start: 1.5rem;
  }
  h3 {
    font-size: 1rem;
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4rem;
    align-items: center;
  }
  .clip {
    display: -webkit-box;
    overflow: hidden;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
  }
  .bar {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    align-items: center;
    margin-block-end: 0.75rem;
  }
  .bar > h2 {
    flex: 1 1 auto;
  }
  pre {
    max-block-size: 12rem;
    overflow: auto;
    padding: 0.5rem;
    border-radius: var(--_radius-small);
    background: var(--_sunken);
    white-space: pre-wrap;
  }
`,qe=C`
  .panes {
    display: grid;
    grid-template-columns: minmax(17rem, 24rem) minmax(0, 1fr);
    gap: 1.25rem;
    align-items: start;
  }
  .list {
    margin: 0;
    padding: 0.25rem;
    list-style: none;
    max-block-size: calc(100dvh - 14rem);
    min-block-size: 12rem;
    overflow-y: auto;
    border: 1px solid var(--_hair);
    border-radius: var(--_radius-small);
  }
  .list li {
    display: flex;
    align-items: center;
    gap: 0.4rem;
    border-block-end: 1px solid var(--_hair);
    content-visibility: auto;
    contain-intrinsic-size: auto 5.5rem;
  }
  .list li:last-child {
    border-block-end: 0;
  }
  .row {
    flex: 1;
    display: block;
    min-inline-size: 0;
    padding: 0.7rem 0.8rem;
    border: 0;
    font-weight: 400;
    text-align: start;
    background: none;
  }
  .row:focus-visible {
    outline-offset: -3px;
  }
  .row[aria-current="true"] {
    background: var(--_bubble);
  }
  .row strong {
    display: block;
    font-weight: 650;
  }
  .pick {
    display: grid;
    place-items: center;
    flex: none;
    inline-size: 2.75rem;
    block-size: 2.75rem;
  }
  .pick input {
    inline-size: 1.3rem;
    block-size: 1.3rem;
    accent-color: var(--_accent);
  }
  .more {
    padding: 0.5rem;
    justify-content: center;
  }
  .detail {
    min-inline-size: 0;
  }
  .detail > .meta {
    margin-block-end: 0.6rem;
  }
  .after {
    margin-block-start: 0.9rem;
  }
  .back {
    display: none;
  }
  kbd {
    padding: 0 0.35em;
    border: 1px solid var(--_line);
    border-radius: 0.25em;
    font: 0.85em var(--_mono);
  }
  @media (max-width: 48rem) {
    .panes {
      grid-template-columns: minmax(0, 1fr);
    }
    .list {
      max-block-size: none;
    }
    .detail.none,
    .opened .choose {
      display: none;
    }
    .back {
      display: inline-flex;
      margin-block-end: 0.75rem;
    }
  }
  @media (hover: none) {
    .keys {
      display: none;
    }
  }
  table {
    inline-size: 100%;
    border-collapse: collapse;
  }
  th,
  td {
    padding: 0.5rem;
    border-block-end: 1px solid var(--_hair);
    text-align: start;
    vertical-align: top;
  }
  td.words {
    white-space: pre-wrap;
  }
`;function Ei(t){let e=h(t)??{},n=h(e.absence);return{channels:$(e.channels).flatMap(i=>{let r=u(h(i)?.channel);return r?[{channel:r,after:Number(h(i)?.after)||0,off:h(i)?.off===!0}]:[]}),devices:$(e.push_subscriptions).flatMap(i=>{let r=u(h(i)?.id);return r?[{id:r,label:u(h(i)?.label),since:u(h(i)?.created_at)}]:[]}),email:u(e.email),absence:n&&{from:u(n.from)??"",until:u(n.until)??""},deputy:u(e.deputy)}}function N(t,e){t.dispatchEvent(new CustomEvent("inbox-change",{detail:e}))}var Me=class extends y{static styles=[k,x,E];#e;#t=!1;#n;#i="";#r=!1;firstUpdated(){this.#s()}async#s(){try{this.#e=Ei(await w("/api/me/channels")),this.#n=void 0}catch(e){this.#t=e instanceof S&&e.status===404,this.#n=this.#t?void 0:e.message}this.requestUpdate()}#o=async e=>{if(this.#r)return;let n=e.currentTarget;this.#r=!0;let i;try{this.#i=await e.detail.work()}catch(r){this.#i="",i=r.message}this.#r=!1,await this.#s(),this.#n??=i,this.requestUpdate(),await this.updateComplete,await n.updateComplete,e.detail.focus&&n.renderRoot.querySelector(e.detail.focus)?.focus()};render(){let e=this.#e;return a`<div class="bar"><h2>How you are told</h2></div>
      <p class="meta">You are told of a question that you do not look at: one way after the other, until it is answered.</p>
      ${this.#n?a`<p class="problem" role="alert">${this.#n} ${e?l:a`<button type="button" @click=${()=>{this.#s()}}>Try again</button>`}</p>`:l}
      <p role="status" class=${this.#i?"notice":"hidden"}>${this.#i}</p>
      ${this.#t||e?.channels.length===0?a`<p class="empty">This server tells nobody of questions. Whoever runs it can configure channels; until then, look here now and then.</p>`:l}
      ${e?this.#a(e):l}`}#a(e){let n=e.channels.some(i=>i.channel==="web_push");return a`${n?a`<parley-inbox-devices .reach=${e} @inbox-change=${this.#o}></parley-inbox-devices>`:l}
      ${e.channels.length>0?a`<parley-inbox-channels .reach=${e} @inbox-change=${this.#o}></parley-inbox-channels>`:l}
      <parley-inbox-absence .reach=${e} @inbox-change=${this.#o}></parley-inbox-absence>`}};var $n=new Intl.DateTimeFormat(void 0,{dateStyle:"full"}),kn=t=>new Date(new Date(t).valueOf()-1);function xn(t){return[String(t.getFullYear()).padStart(4,"0"),String(t.getMonth()+1).padStart(2,"0"),String(t.getDate()).padStart(2,"0")].join("-")}function _n(t,e=0){let[n,i,r]=t.split("-").map(Number);return new Date(n??NaN,(i??NaN)-1,(r??NaN)+e)}var Le=class extends y{static styles=[k,x,E,C`
      form {
        display: flex;
        flex-wrap: wrap;
        gap: 0.6rem 1rem;
        align-items: end;
      }
      label {
        display: grid;
        gap: 0.25rem;
        flex: 0 1 12rem;
        font-weight: 600;
      }
    `];static properties={reach:{}};render(){let{absence:e,deputy:n}=this.reach;return a`<section aria-labelledby="away">
      <h3 id="away">When you are away</h3>
      <p class="meta">
        ${n?a`While you are away, what needs your approval is also asked of your deputy, <bdi>${f(n)}</bdi>.`:"You have no deputy: what needs your approval waits for you, and for whom its rule names next."}
        Only the configuration of the server names deputies.
      </p>
      ${e?this.#e(e):l}
      <form @submit=${this.#t}>
        <label>First day <input type="date" name="from" required .value=${e?xn(new Date(e.from)):""} /></label>
        <label>Last day <input type="date" name="to" required .value=${e?xn(kn(e.until)):""} /></label>
        <button>${e?"Change":"I am away then"}</button>
      </form>
    </section>`}#e({from:e,until:n}){let[i,r]=[new Date(e),kn(n)],s=i.valueOf()<=Date.now()&&Date.now()<new Date(n).valueOf();return a`<p class="notice">
      <span>${s?"You are away":"You will be away"} from ${$n.format(i)} to ${$n.format(r)}.</span>
      <button type="button" @click=${this.#n}>${s?"I am back":"I am not"}</button>
    </p>`}#t=e=>{e.preventDefault();let n=new FormData(e.currentTarget),[i,r]=[_n(String(n.get("from"))),_n(String(n.get("to")),1)];N(this,{work:async()=>{if(!(r>i))throw new S(0,"The last day is before the first. Correct one of them.");let s=JSON.stringify({from:i.toISOString(),until:r.toISOString()});return await w("/api/me/absence",{method:"PUT",body:s,headers:{"content-type":"application/json"}}),"Stored."}})};#n=()=>N(this,{work:async()=>(await w("/api/me/absence",{method:"DELETE"}),"Stored. If it still says that you are away, the configuration of the server does; whoever runs it can change it."),focus:"input"})};var D={ATTRIBUTE:1,CHILD:2,PROPERTY:3,BOOLEAN_ATTRIBUTE:4,EVENT:5,ELEMENT:6},X=t=>(...e)=>({_$litDirective$:t,values:e}),j=class{constructor(e){}get _$AU(){return this._$AM._$AU}_$AT(e,n,i){this._$Ct=e,this._$AM=n,this._$Ci=i}_$AS(e,n){return this.update(e,n)}update(e,n){return this.render(...n)}};var{I:Ci}=an,An=t=>t;var Tn=t=>t.strings===void 0,Sn=()=>document.createComment(""),ee=(t,e,n)=>{let i=t._$AA.parentNode,r=e===void 0?t._$AB:e._$AA;if(n===void 0){let s=i.insertBefore(Sn(),r),o=i.insertBefore(Sn(),r);n=new Ci(s,o,t,t.options)}else{let s=n._$AB.nextSibling,o=n._$AM,d=o!==t;if(d){let c;n._$AQ?.(t),n._$AM=t,n._$AP!==void 0&&(c=t._$AU)!==o._$AU&&n._$AP(c)}if(s!==r||d){let c=n._$AA;for(;c!==s;){let p=An(c).nextSibling;An(i).insertBefore(c,r),c=p}}}return n},z=(t,e,n=t)=>(t._$AI(e,n),t),Ri={},te=(t,e=Ri)=>t._$AH=e,En=t=>t._$AH,Ue=t=>{t._$AR(),t._$AA.remove()};var O=X(class extends j{constructor(t){if(super(t),t.type!==D.PROPERTY&&t.type!==D.ATTRIBUTE&&t.type!==D.BOOLEAN_ATTRIBUTE)throw Error("The `live` directive is not allowed on child or event bindings");if(!Tn(t))throw Error("`live` bindings can only contain a single expression")}render(t){return t}update(t,[e]){if(e===P||e===l)return e;let n=t.element,i=t.name;if(t.type===D.PROPERTY){if(e===n[i])return P}else if(t.type===D.BOOLEAN_ATTRIBUTE){if(!!e===n.hasAttribute(i))return P}else if(t.type===D.ATTRIBUTE&&n.getAttribute(i)===e+"")return P;return te(t),e}});var Cn=(t,e,n)=>{let i=new Map;for(let r=e;r<=n;r++)i.set(t[r],r);return i},Ne=X(class extends j{constructor(t){if(super(t),t.type!==D.CHILD)throw Error("repeat() can only be used in text expressions")}dt(t,e,n){let i;n===void 0?n=e:e!==void 0&&(i=e);let r=[],s=[],o=0;for(let d of t)r[o]=i?i(d,o):o,s[o]=n(d,o),o++;return{values:s,keys:r}}render(t,e,n){return this.dt(t,e,n).values}update(t,[e,n,i]){let r=En(t),{values:s,keys:o}=this.dt(e,n,i);if(!Array.isArray(r))return this.ut=o,s;let d=this.ut??=[],c=[],p,g,m=0,v=r.length-1,b=0,_=s.length-1;for(;m<=v&&b<=_;)if(r[m]===null)m++;else if(r[v]===null)v--;else if(d[m]===o[b])c[b]=z(r[m],s[b]),m++,b++;else if(d[v]===o[_])c[_]=z(r[v],s[_]),v--,_--;else if(d[m]===o[_])c[_]=z(r[m],s[_]),ee(t,c[_+1],r[m]),m++,_--;else if(d[v]===o[b])c[b]=z(r[v],s[b]),ee(t,r[m],r[v]),v--,b++;else if(p===void 0&&(p=Cn(o,b,_),g=Cn(d,m,v)),p.has(d[m]))if(p.has(d[v])){let q=g.get(o[b]),ht=q!==void 0?r[q]:null;if(ht===null){let Ht=ee(t,r[m]);z(Ht,s[b]),c[b]=Ht}else c[b]=z(ht,s[b]),ee(t,r[m],ht),r[q]=null;b++}else Ue(r[v]),v--;else Ue(r[m]),m++;for(;b<=_;){let q=ee(t,c[_+1]);z(q,s[b]),c[b++]=q}for(;m<=v;){let q=r[m++];q!==null&&Ue(q)}return this.ut=o,te(t,c),P}});var Et=[0,30,60,300,900,3600,14400,86400,259200];function Pi(t){if(t===0)return"at once";for(let[e,n]of[["day",86400],["hour",3600],["minute",60],["second",1]])if(t%n===0)return`after ${t/n} ${e}${t===n?"":"s"}`;return`after ${t} seconds`}var De=class extends y{static styles=[k,x,E,C`
      label {
        display: inline-flex;
        align-items: center;
        gap: 0.5rem;
        min-block-size: 2.625rem;
      }
      input[type="checkbox"] {
        inline-size: 1.3rem;
        block-size: 1.3rem;
        accent-color: var(--_accent);
      }
      select {
        inline-size: auto;
      }
    `];static properties={reach:{}};render(){let{channels:e}=this.reach;return a`<section aria-labelledby="order">
      <h3 id="order">In which order</h3>
      <ol class="things">
        ${Ne(e,n=>n.channel,(n,i)=>this.#e(n,i))}
      </ol>
    </section>`}#e(e,n){let i=this.#n(e),r=this.#i(e),s=Et.includes(e.after)?Et:[...Et,e.after].sort((o,d)=>o-d);return a`<li class="thing" data-channel=${e.channel}>
      <div class="about">
        <strong>${i}</strong>
        ${r?a`<div class="meta">${r}</div>`:l}
      </div>
      <div class="buttons">
        <label><input type="checkbox" aria-label="${i}: on" .checked=${O(!e.off)} @change=${()=>this.#r(e,{off:!e.off})} />On</label>
        <select aria-label="When: ${i}" @change=${o=>this.#r(e,{after:Number(o.target.value)})}>
          ${s.map(o=>a`<option value=${o} .selected=${O(o===e.after)}>${Pi(o)}</option>`)}
        </select>
        ${this.#t(e,n,-1,i)} ${this.#t(e,n,1,i)}
      </div>
    </li>`}#t(e,n,i,r){if(this.reach.channels.length<2)return l;let s=n+i,o=s>=0&&s<this.reach.channels.length,d=i<0?"Earlier":"Later";return a`<button type="button" class=${i<0?"up":"down"} aria-label="${d}: ${r}" aria-disabled=${!o} @click=${()=>o&&this.#s(e,s,i)}>${d}</button>`}#n({channel:e}){return e==="web_push"?"Notifications in your browsers":e==="email"?this.reach.email?`E-mail to ${f(this.reach.email)}`:"E-mail":`Webhook ${f(e.replace(/^webhook:/,""))}`}#i({channel:e,off:n}){return n?"Off: left out.":e==="web_push"&&this.reach.devices.length===0?"Left out: no browser of yours is turned on.":e==="email"&&!this.reach.email?"Left out: no verified address of yours is known. Sign in with one, or ask whoever runs this server.":""}#r(e,n){this.#o(this.reach.channels.map(i=>i===e?{...e,...n}:i))}#s(e,n,i){let r=this.reach.channels.filter(s=>s!==e);this.#o([...r.slice(0,n),e,...r.slice(n)],`[data-channel="${CSS.escape(e.channel)}"] .${i<0?"up":"down"}`)}#o(e,n){let i=JSON.stringify({channels:e});N(this,{work:async()=>(await w("/api/me/channels",{method:"PUT",body:i,headers:{"content-type":"application/json"}}),"Stored."),focus:n})}};var ne=class extends y{static styles=[k,x,E];static properties={user:{}};#e;#t;#n="";#i;firstUpdated(){this.#r()}async#r(){await this.#s(async()=>{let e=h(await w(`${this.path}?${new URLSearchParams({user:this.user})}`));this.#e=$(e?.items).flatMap(n=>[h(n)??{}])})}async#s(e){this.#t=void 0;try{await e()}catch(n){this.#t=n.message}this.requestUpdate()}render(){let e=this.#e;return a`<div class="bar"><h2 tabindex="-1">${this.words.title}</h2></div>
      ${this.#t?a`<p class="problem" role="alert">${this.#t} <button type="button" @click=${()=>{this.#r()}}>Try again</button></p>`:l}
      <div role="status" class="meta">${this.#n}</div>
      ${e?.length===0?a`<p class="empty">${this.words.none}</p>`:l}
      <ul class="things">
        ${e?.map(n=>a`<li class="thing">
            <div class="about">${this.about(n)}</div>
            <div>${this.#o(n)}</div>
          </li>`)}
      </ul>`}#o(e){let n=this.key(e),i=this.called(e),r=s=>()=>{this.#i=s,this.requestUpdate()};return this.#i!==n?a`<button type="button" aria-label="${this.words.take}: ${i}" @click=${r(n)}>${this.words.take}</button>`:a`<button type="button" class="primary" aria-label="${this.words.sure}: ${i}" @click=${()=>{this.#a(e)}}>${this.words.sure}</button>
      <button type="button" class="quiet" @click=${r(void 0)}>Keep</button>`}async#a(e){this.#i=void 0,await this.#s(async()=>{let n=h(await w(this.removal(e),{method:"DELETE"}));this.#n=u(n?.warning)??`Done: ${this.called(e)}.`,await this.#r()}),this.renderRoot.querySelector("h2")?.focus()}};function ie(t,e=[]){let n=h(t);if(!n)return;let i=new Set($(n.required)),r=[],s=d=>e.includes(d)?e.indexOf(d):e.length,o=Object.entries(h(n.properties)??{}).sort(([d],[c])=>s(d)-s(c));for(let[d,c]of o){let p=h(c),g=p&&Ii(p);if(!p||!g)return;r.push(Oi(d,g,p,i.has(d)))}return r}function Ii(t){switch(t.type){case"string":case"number":case"integer":return je(t).length>0?"choice":t.type;case"boolean":return"boolean";case"array":return je(h(t.items)??{}).length>0?"choices":void 0}}function Oi(t,e,n,i){return{name:t,kind:e,required:i,nullable:n.nullable===!0,label:U(u(n.title)||t),description:U(u(n.description)??"")||void 0,format:qi(n.format),minLength:pe(n.minLength),maxLength:pe(n.maxLength),pattern:u(n.pattern),minimum:Rn(n.minimum),maximum:Rn(n.maximum),options:je(e==="choices"?h(n.items)??{}:n),minItems:pe(n.minItems),maxItems:pe(n.maxItems),default:n.default}}function qi(t){return t==="email"||t==="uri"||t==="date"||t==="date-time"?t:void 0}function pe(t){return typeof t=="number"?t:void 0}function Rn(t){let e=pe(t);return e!==void 0&&Math.abs(e)===Number.MAX_SAFE_INTEGER?void 0:e}function Pn(t){return typeof t=="number"?String(t):u(t)}function je(t){let e=$(t.oneOf??t.anyOf);if(e.length>0)return e.flatMap(i=>{let r=Pn(h(i)?.const);return r===void 0?[]:[{value:r,label:U(u(h(i)?.title)||r)}]});let n=$(t.enumNames);return $(t.enum).flatMap((i,r)=>{let s=Pn(i);return s===void 0?[]:[{value:s,label:U(u(n[r])||s)}]})}function he(t){return t.kind==="boolean"&&(t.required||t.nullable)&&t.default===void 0}function In(t){return Object.fromEntries(t.map(e=>[e.name,Mi(e)]))}function Mi(t){let e=t.default;switch(t.kind){case"boolean":return typeof e=="boolean"?e:he(t)?void 0:!1;case"choices":return Array.isArray(e)?t.options.map(n=>n.value).filter(n=>e.includes(n)):[];case"choice":return t.options.find(n=>n.value===String(e))?.value;case"number":case"integer":return typeof e=="number"?String(e):""}return typeof e!="string"?"":t.format==="date-time"?Vi(e):e}function ze(t,e,n){let i={content:Object.create(null),errors:Object.create(null)};for(let r of t){let{value:s,error:o}=Li(r,e[r.name],n);o!==void 0?i.errors[r.name]=o:s!==void 0&&(i.content[r.name]=s)}return i}function He(t){let e=t.replace(/\s+/g," ").replace(/[:* ]+$/,"");return/[?!.,;]$|^$/.test(e)?`“${e}”`:e}function Li(t,e,n){let i={error:n("errorRequired",{label:He(t.label)})},r=t.nullable?{value:null}:i;switch(t.kind){case"boolean":return e===void 0?t.required?i:{}:{value:e};case"choices":return Ui(t,e??[],n);case"choice":return e!==void 0?{value:e}:t.default!==void 0?r:t.required?i:{}}let s=typeof e=="string"?e:"",o=t.kind==="string"&&t.format===void 0;return(o&&!t.required?s==="":s.trim()==="")?t.required?i:t.default===void 0?{}:t.kind==="string"&&!t.nullable?{value:""}:r:t.kind==="string"?Ni(t,o?s:s.trim(),n):Hi(t,s.trim(),n)}function Ui(t,e,n){let{minItems:i,maxItems:r}=t,s=He(t.label);return e.length===0&&!t.required&&t.default===void 0?{}:i!==void 0&&e.length<i?{error:n("errorMinItems",{label:s,n:i})}:r!==void 0&&e.length>r?{error:n("errorMaxItems",{label:s,n:r})}:{value:e}}function Ni(t,e,n){let{minLength:i,maxLength:r}=t,s=He(t.label),o=[...e].length;if(i!==void 0&&o<i)return{error:n("errorMinLength",{label:s,n:i})};if(r!==void 0&&o>r)return{error:n("errorMaxLength",{label:s,n:r})};if(t.pattern!==void 0&&!Di(t.pattern,e))return{error:n("errorPattern",{label:s})};switch(t.format){case"email":return/^[^\s@]+@[^\s@]*[^\s@.]$/.test(e)?{value:e}:{error:n("errorEmail",{label:s})};case"uri":return ji(e)?{value:e}:{error:n("errorUri",{label:s})};case"date":return zi(e)?{value:e}:{error:n("errorDate",{label:s})};case"date-time":{let d=Ji(e);return d?{value:d}:{error:n("errorDateTime",{label:s})}}}return{value:e}}function Di(t,e){try{return new RegExp(t,"u").test(e)}catch{return!0}}function ji(t){return/^[a-z][a-z0-9+.-]*:[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/i.test(t)&&URL.canParse(t)}function zi(t){let e=new Date(`${t}T00:00:00Z`);return/^\d{4}-\d\d-\d\d$/.test(t)&&!Number.isNaN(e.valueOf())&&e.toISOString().startsWith(t)}function Hi(t,e,n){let{minimum:i,maximum:r}=t,s=He(t.label),o=Fi(e);return o===void 0?{error:n(t.kind==="integer"?"errorInteger":"errorNumber",{label:s})}:t.kind==="integer"&&!Number.isInteger(o)?{error:n("errorInteger",{label:s})}:Wi(e)?i!==void 0&&o<i?{error:n("errorMinimum",{label:s,n:i})}:r!==void 0&&o>r?{error:n("errorMaximum",{label:s,n:r})}:{value:o}:{error:n("errorDigits",{label:s})}}function Fi(t){let e=t.replace(/^\u2212/,"-");if(!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(e))return;let n=Number(e);return Number.isFinite(n)?n:void 0}function Wi(t){return t.replace(/e.*$/i,"").replace(/\D/g,"").replace(/^0+/,"").replace(/0+$/,"").length<=15||Number.isSafeInteger(Number(t))&&/^[-+]?\d+$/.test(t)}function Ji(t){let e=/^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d(?:\.\d+)?)?$/.exec(t),n=new Date(t);if(!(!e||Number.isNaN(n.valueOf())))return`${e[1]}${e[2]??":00"}${Ct(n)||"Z"}`}function Vi(t){let e=new Date(t);return Number.isNaN(e.valueOf())?"":new Date(e.valueOf()-e.getTimezoneOffset()*6e4).toISOString().slice(0,e.getUTCSeconds()||e.getUTCMilliseconds()?19:16)}function Ct(t){let e=-t.getTimezoneOffset();if(e===0)return"";let n=i=>String(Math.floor(i)).padStart(2,"0");return`${e<0?"-":"+"}${n(Math.abs(e)/60)}:${n(Math.abs(e)%60)}`}var qn=7;function Fe(t){let{field:e}=t;return e.kind==="boolean"&&!he(e)?Xi(t):e.kind==="boolean"?On(t,[{value:"true",label:t.say("yes")},{value:"false",label:t.say("no")}]):e.kind==="choices"?Zi(t):e.kind==="choice"&&e.options.length<=qn?On(t,e.options):a`<div class=${We(t)}>
    <label for=${t.id} dir="auto">${e.label}${Pt(t)}</label>
    ${Je(t)} ${e.kind==="choice"?Gi(t):Yi(t)}
  </div>`}function Mn(t){let{id:e,field:n}=t;return n.kind==="choices"||he(n)||n.kind==="choice"&&n.options.length<=qn?`${e}-0`:e}var We=t=>t.error===void 0?"field":"field wrong",Pt=t=>me(t.field)?a` <span class="required">${t.say("required")}</span>`:l;function me(t){return t.required&&(t.kind!=="choices"||(t.minItems??0)>0)}function Je(t){let{id:e,field:n,error:i,say:r}=t,s=Ln(n,r);return a`
    ${n.description?a`<p class="hint" id="${e}-about" dir="auto">${n.description}</p>`:l}
    ${s?a`<p class="hint" id="${e}-hint">${s}</p>`:l}
    ${i===void 0?l:a`<p class="error" id="${e}-error"><span class="hidden">${r("error")} </span>${i}</p>`}
  `}function re(t){let e=[];return t.field.description&&e.push(`${t.id}-about`),Ln(t.field,t.say)&&e.push(`${t.id}-hint`),t.error!==void 0&&e.push(`${t.id}-error`),e.length>0?e.join(" "):l}function Ln(t,e){switch(t.kind){case"number":case"integer":return Rt(t.minimum,t.maximum,e);case"choices":{let n=Rt(t.minItems||void 0,t.maxItems,e);return n&&e("hintChoices",{range:Bi(n)})}case"string":{if(t.format==="date-time")return e("localTime",{offset:Ct(new Date)});let n=Rt(t.minLength!==void 0&&t.minLength>1?t.minLength:void 0,t.maxLength,e);return n&&e("hintLength",{range:n})}}return""}function Rt(t,e,n){return t!==void 0&&t===e?n("exactly",{low:t}):t!==void 0&&e!==void 0?n("from",{low:t,high:e}):t!==void 0?n("atLeast",{low:t}):e===void 0?"":n("atMost",{high:e})}var Bi=t=>t.charAt(0).toLowerCase()+t.slice(1);function Yi(t){let{id:e,field:n,entry:i,enter:r}=t,s=typeof i=="string"?i:"",o=p=>r(p.target.value);if(n.kind==="string"&&n.format===void 0&&Ki(n))return a`<textarea id=${e} rows="4" dir="auto" .value=${O(s)} @input=${o}
      aria-describedby=${re(t)} aria-required=${me(n)} aria-invalid=${t.error!==void 0}></textarea>`;let{type:d,mode:c}=Qi(n);return a`<input id=${e} type=${d} inputmode=${c??l} autocomplete="off" dir="auto"
    spellcheck=${c?"false":l} autocapitalize=${c?"off":l} step=${d==="datetime-local"?"any":l}
    .value=${O(s)} @input=${o}
    aria-describedby=${re(t)} aria-required=${me(n)} aria-invalid=${t.error!==void 0} />`}function Qi(t){if(t.kind==="integer")return{type:"text",mode:(t.minimum??-1)<0?"text":"numeric"};if(t.kind==="number")return{type:"text",mode:(t.minimum??-1)<0?"text":"decimal"};switch(t.format){case"date":return{type:"date"};case"date-time":return{type:"datetime-local"};case"email":return{type:"text",mode:"email"};case"uri":return{type:"text",mode:"url"}}return{type:"text"}}function Ki(t){let e=typeof t.default=="string"?t.default:"";return(t.maxLength??0)>200||(t.minLength??0)>100||e.length>200||e.includes(`
`)}function Gi(t){let{id:e,field:n,entry:i,say:r,enter:s}=t;return a`<select id=${e} @change=${d=>{let c=d.target.selectedIndex-1;s(n.options[c]?.value)}} aria-describedby=${re(t)}
    aria-required=${me(n)} aria-invalid=${t.error!==void 0}>
    <option value="" .selected=${i===void 0}>${r("choose")}</option>
    ${n.options.map(d=>a`<option .selected=${d.value===i}>${It(d,r)}</option>`)}
  </select>`}var It=(t,e)=>t.label.trim()===""?e("emptyOption"):t.label;function On(t,e){let{id:n,field:i,entry:r,say:s,enter:o}=t,d=p=>i.kind==="boolean"?p==="true":p,c=!i.required&&i.default===void 0&&!t.sure;return a`<div class=${We(t)} role="radiogroup" aria-labelledby="${n}-label" aria-required=${me(i)}
    aria-invalid=${t.error!==void 0} aria-describedby=${re(t)}>
    <div class="legend" id="${n}-label" dir="auto">${i.label}${Pt(t)}</div>
    ${Je(t)}
    ${e.map((p,g)=>a`<label class="option">
        <input type="radio" id="${n}-${g}" name=${n} .checked=${O(r===d(p.value))} @change=${()=>o(d(p.value))} />
        <span dir="auto">${It(p,s)}</span>
      </label>`)}
    ${c?a`<label class="option">
          <input type="radio" name=${n} .checked=${O(r===void 0)} @change=${()=>o(void 0)} />
          <span>${s("noAnswer")}</span>
        </label>`:l}
  </div>`}function Zi(t){let{id:e,field:n,say:i,enter:r}=t,s=Array.isArray(t.entry)?t.entry:[],o=(d,c)=>r(n.options.map(p=>p.value).filter(p=>p===d?c:s.includes(p)));return a`<div class=${We(t)} role="group" aria-labelledby="${e}-label" aria-describedby=${re(t)}>
    <div class="legend" id="${e}-label" dir="auto">${n.label}${Pt(t)}</div>
    ${Je(t)}
    ${n.options.map((d,c)=>a`<label class="option">
        <input type="checkbox" id="${e}-${c}" .checked=${O(s.includes(d.value))} aria-invalid=${t.error!==void 0}
          @change=${p=>o(d.value,p.target.checked)} />
        <span dir="auto">${It(d,i)}</span>
      </label>`)}
  </div>`}function Xi(t){let{id:e,field:n,entry:i,enter:r}=t;return a`<div class=${We(t)}>
    <label class="option">
      <input type="checkbox" id=${e} .checked=${O(i===!0)} aria-describedby=${re(t)} aria-invalid=${t.error!==void 0}
        @change=${s=>r(s.target.checked)} />
      <span class="strong" dir="auto">${n.label}</span>
    </label>
    ${Je(t)}
  </div>`}var R=t=>A`<svg viewBox="0 0 24 24" aria-hidden="true">${t}</svg>`,T={connect:R(A`<path d="M10 14a4.5 4.5 0 0 0 6.4 0l3.2-3.2a4.5 4.5 0 0 0-6.4-6.4L11.7 6M14 10a4.5 4.5 0 0 0-6.4 0l-3.2 3.2a4.5 4.5 0 0 0 6.4 6.4L12.3 18"/>`),approval:R(A`<path d="M12 3 5 5.6v5.6c0 4.3 2.9 8.1 7 9.8 4.1-1.7 7-5.5 7-9.8V5.6L12 3Z"/><path d="M12 8.5v4M12 15.8v.1"/>`),form:R(A`<path d="M20 11.5a7.5 7.5 0 0 1-7.5 7.5H5l1.7-2.6A7.5 7.5 0 1 1 20 11.5Z"/><path d="M10.4 9.6a2.2 2.2 0 1 1 3.1 2c-.6.3-1 .7-1 1.4M12.5 15.4v.1"/>`),clock:R(A`<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>`),done:R(A`<path d="m5 12.5 4.5 4.5L19 7.5"/>`),no:R(A`<path d="M7 7l10 10M17 7 7 17"/>`),tool:R(A`<path d="M14.5 6.5a4 4 0 0 1 5-1.2l-2.7 2.7 1.4 2 2.6-2.2a4 4 0 0 1-5.6 4.6L8 19.6A2.1 2.1 0 0 1 5 16.6l7-7.3a4 4 0 0 1 2.5-2.8Z"/>`),send:R(A`<path d="M12 19V5.5M6 11l6-6 6 6"/>`),stop:R(A`<rect x="7.5" y="7.5" width="9" height="9" rx="1.5" fill="currentColor"/>`),plus:R(A`<path d="M12 5v14M5 12h14"/>`),down:R(A`<path d="M12 5v13.5M6 13l6 6 6-6"/>`),warning:R(A`<path d="M12 4 2.8 19.5h18.4L12 4Z"/><path d="M12 10v4.2M12 16.8v.1"/>`),copy:R(A`<rect x="9" y="9" width="11" height="11" rx="2"/><path d="M5.5 15H5a1.5 1.5 0 0 1-1.5-1.5V5A1.5 1.5 0 0 1 5 3.5h8.5A1.5 1.5 0 0 1 15 5v.5"/>`),again:R(A`<path d="M19.5 12a7.5 7.5 0 1 1-2.2-5.3M19.5 3.5v4h-4"/>`),chevron:R(A`<path d="m9 6 6 6-6 6"/>`)};function Ot(t){return St(t).map(e=>e.kind===void 0?e.text:a`<bdi dir=${e.kind==="phrase"?"rtl":"ltr"}>${e.text}</bdi>`)}function Nn(t,e){let{question:n,service:i,say:r}=t;return a`<div class="card open" part="card" role="group" aria-labelledby="title">
    <header>
      <span class="badge">${er(t)}</span>
      <div class="title isolate" id="title" tabindex="-1" role="heading" aria-level="2" dir=${Dn(t)}>${be(t)}</div>
      ${e}
    </header>
    <div class="body">
      ${n.message.trim()===""?l:a`<div class="message">
            ${fe(n)?l:a`<span class="from isolate" dir=${_t(r("says",{service:""}))}>${r("says",{service:i})}</span>`}
            ${tr(n)}
          </div>`}
      ${nr(t)}
      ${n.context.account?a`<p class="account">${r("account")} <bdi>${f(n.context.account)}</bdi></p>`:l}
    </div>
  </div>`}function er({kind:t,question:e}){return e.context.trigger==="tool_approval"?T.approval:t==="waiting"?T.clock:t==="unsupported"?T.form:T[t]}var fe=({context:t})=>(t.trigger==="tool_approval"||t.trigger==="approvers")&&t.server!==void 0;function tr(t){let{message:e,context:n}=t;if(n.trigger!=="tool_approval"&&!fe(t))return a`<div class="words" dir="auto">${U(e)}</div>`;let i=Ot(Q(hn(e)));return fe(t)?a`<div class="words exact whole" dir="ltr" tabindex="0" role="region" aria-labelledby="title">${i}</div>`:a`<div class="words exact" dir="ltr">${i}</div>`}var Dn=t=>_t(be({...t,service:""}));function be(t){let{kind:e,question:n,service:i,say:r}=t,{trigger:s}=n.context;return s==="tool_approval"?r("approvalTitle",{service:i}):s==="approvers"?r("waitingTitle",{service:i}):e==="connect"?r(s==="credential_required"?"connectTitle":"visitTitle",{service:i}):r("formTitle",{service:i})}function jn(t,e){let n={good:T.done,bad:T.no,neutral:T.clock}[e.tone];return a`<div class="card settled" part="card" role="group" aria-labelledby="title">
    <header>
      <span class="badge ${e.tone}">${n}</span>
      <div class="title">
        <span class="isolate" id="title" dir=${Dn(t)}>${be(t)}</span>
        <span class="sentence" id="outcome" tabindex="-1">${e.sentence}</span>
      </div>
    </header>
  </div>`}var H=t=>t===void 0?l:a`<p class="problem">${T.warning}<span>${t}</span></p>`;function nr(t){switch(t.kind){case"connect":return ir(t);case"approval":return a`${fe(t.question)?l:Un(t)} ${or(t)}`;case"waiting":return a`${sr(t)} ${H(t.problem)}
        <div class="buttons">${ge(t,"takeBack")}</div>`;case"form":return a`${t.question.context.trigger==="tool_approval"&&!fe(t.question)?Un(t):l} ${cr(t)}`;case"unsupported":return a`<p>${t.say("unsupported")} <a href=${t.hosted} target="_blank" rel="noopener">${t.say("hosted")}</a></p>
        ${H(t.problem)}
        <div class="buttons">${ge(t,"decline")}</div>`}}function ir(t){let{address:e,say:n}=t;if(!e)return a`${H(n("unsafe"))} ${H(t.problem)}
      <div class="buttons">${ge(t,"dismiss")}</div>`;let i=n(t.question.context.trigger==="credential_required"?"connect":"visit");return a`
    <dl>
      <div>
        <dt>${n("address")}</dt>
        <dd><code class="address">${e.before}<strong>${e.trust}</strong>${e.after}</code></dd>
      </div>
    </dl>
    ${e.insecure?a`<p class="warn">${T.warning}<span>${n("insecure")}</span></p>`:l} ${rr(t,e)} ${H(t.problem)}
    <div class="buttons">
      ${e.foreign?a`<a class="button primary" id="go" href=${e.href} target="_blank" rel="noopener noreferrer"
            @click=${t.open}>${i}</a>`:a`<button type="button" class="primary" id="go" @click=${t.open}>
            ${t.phase==="opened"?n("openAgain"):i}
          </button>`}
      ${ge(t,"dismiss")}
    </div>
  `}function rr(t,e){let{say:n,phase:i}=t,r=a`<a href=${e.href}>${n("sameWindow")}</a>`;switch(i){case"opened":return a`<p class="status">
        ${T.clock}<span>${n(e.foreign?"openedTab":"opened")} ${e.foreign?l:r}</span>
      </p>`;case"blocked":return H(a`${n("blocked")} ${r}`);case"confirming":return a`<p class="status">${T.clock}<span>${n("confirming")}</span></p>`}return l}function Un(t){let{context:e}=t.question,{say:n}=t,i=Ie(e.arguments??""),r=i.split(`
`).length;return a`<dl>
    ${e.tool===void 0?l:a`<div>
          <dt>${n("toolLabel")}</dt>
          <dd><code><bdi>${f(e.tool)}</bdi></code></dd>
        </div>`}
    <div>
      <dt id="arguments">${r>8?n("argumentLines",{n:r}):n("arguments")}</dt>
      <dd>
        ${i===""?n("noArguments"):a`<pre class="arguments" tabindex="0" role="region" aria-labelledby="arguments">${Ot(i)}</pre>`}
      </dd>
    </div>
  </dl>`}function sr({question:t,say:e}){let n=t.approvers;if(!n)return l;let i=n.people.filter(r=>r.decision==="allow_once").length;return a`<div class="panel">
    <p id="panel" aria-live="polite">${e("approversHave",{have:i,need:n.need})}</p>
    <ul aria-labelledby="panel">
      ${n.people.map(r=>{let s=r.decision==="allow_once"?"good":r.decision==="deny"?"bad":"neutral",o={good:T.done,bad:T.no,neutral:T.clock}[s],d=s==="good"?"approverAllowed":s==="bad"?"approverDenied":r.late?"approverLate":"approverAsked";return a`<li class=${s}>${o}<bdi>${f(r.name)}</bdi><span>${e(d)}</span></li>`})}
    </ul>
  </div>`}function or(t){let e=t.fields[0].options,n=e.find(i=>i.value==="asked_back");return a`${H(t.problem)}<div class="buttons">${e.filter(i=>i!==n).map(i=>zn(t,i))}</div>
  ${dr(t)}${ar(t,n)}`}function zn({say:t,phase:e,decide:n},{value:i,label:r}){return a`<button type="button" class=${i==="allow_once"?"primary":""} data-decision=${i}
    aria-disabled=${e==="sending"} @click=${()=>n(i)}>
    ${r===i&&lr(i)?t(i):f(r)}
  </button>`}function ar(t,e){let{fields:n,entries:i,errors:r,say:s,enter:o}=t,d=n.filter(c=>c.kind==="string");return d.length===0&&!e?l:a`<details class="narrow">
    <summary>${s("remark")}</summary>
    <div class="form">
      ${d.map(c=>Fe({id:`field-${n.indexOf(c)}`,field:c,entry:i[c.name],error:r[c.name],say:s,enter:p=>o(c.name,p)}))}
      ${e?a`<div class="buttons">${zn(t,e)}</div>`:l}
    </div>
  </details>`}function dr(t){let{fields:e,entries:n,errors:i,say:r}=t,s=e.slice(1).filter(o=>o.kind==="choice");return s.length===0?l:a`<details class="narrow">
    <summary>${r("narrow")}</summary>
    <div class="form">
      ${s.map(o=>Fe({id:`field-${e.indexOf(o)}`,field:o,entry:n[o.name],error:i[o.name],say:r,sure:!0,enter:d=>t.enter(o.name,d)}))}
      ${s.some(o=>n[o.name]!==void 0)?a`<div class="buttons"><button type="button" @click=${()=>s.forEach(o=>t.enter(o.name,void 0))}>${r("noLimits")}</button></div>`:l}
    </div>
  </details>`}function lr(t){return t==="allow_once"||t==="always_allow"||t==="deny"||t==="asked_back"}function cr(t){let{fields:e,entries:n,errors:i,say:r}=t;return a`<form class="form" novalidate @submit=${t.submit}>
    ${e.map((s,o)=>Fe({id:`field-${o}`,field:s,entry:n[s.name],error:i[s.name],say:r,enter:d=>t.enter(s.name,d)}))}
    ${H(t.problem)}
    <div class="buttons">
      <button class="primary" aria-disabled=${t.phase==="sending"}>${r(t.phase==="sending"?"sending":"submit")}</button>
      ${ge(t,"decline")}
    </div>
  </form>`}function ge(t,e){return a`<button type="button" class="quiet" id="decline" aria-disabled=${t.phase==="sending"} @click=${t.decline}>
    ${t.say(e)}
  </button>`}function Ve(t,e,n,i){let r=hr(e,n,i),s=t.context.trigger==="credential_required";if(t.context.trigger==="approvers")return ur(e,r,i);switch(e.action){case"accept":return n.answered&&n.decision!==void 0?Hn(n.decision,n.chosen,"",i):e.decision!==void 0?Hn(e.decision,pr(t,e),r,i):s?{tone:"good",sentence:i("connected",{place:r})}:{tone:"good",sentence:i(t.mode==="url"?"visited":"answered",{place:r})};case"decline":return{tone:"bad",sentence:i(s?"notConnected":"declined",{place:r})};case"expire":return{tone:"neutral",sentence:i("expired")}}return e.by?{tone:"neutral",sentence:i("cancelled",{place:r})}:{tone:"neutral",sentence:i(e.reason==="superseded"?"superseded":"withdrawn")}}function ur(t,e,n){if(t.action==="expire")return{tone:"neutral",sentence:n("expired")};if(t.by)return{tone:"neutral",sentence:n("takenBack",{place:e})};let i=f(t.reason??"");return t.action==="accept"?{tone:"good",sentence:n("othersAllowed",{reason:i})}:t.action==="decline"?{tone:"bad",sentence:n("othersDenied",{reason:i})}:{tone:"neutral",sentence:n("withdrawn")}}function pr(t,{decision:e,limits:n}){return qt(ie(t.requestedSchema)??[],{...n,decision:e})}function qt(t,e){return t.flatMap(({name:i,options:r})=>r.find(s=>s.value===e[i]&&s.label!==s.value)?.label??[]).map(f).join(" · ")}function Hn(t,e,n,i){switch(t){case"allow_once":return{tone:"good",sentence:i("allowed_once",{place:n})};case"always_allow":return{tone:"good",sentence:e?i("allowed_as",{chosen:e,place:n}):i("allowed_always",{place:n})};case"asked_back":return{tone:"neutral",sentence:i("asked_back_done",{place:n})};case"deny":return{tone:"bad",sentence:i("denied",{place:n})}}return{tone:"good",sentence:i("answered",{place:n})}}function hr(t,e,n){if(e.answered)return"";switch(t.via){case"page":return n("onPage");case"slack":return n("inSlack");case void 0:case"chat":return e.watched?n("elsewhere"):""}return n("elsewhere")}var Be=t=>e=>e.n===1?`1 ${t}`:`${e.n} ${t}s`,Fn=Be("character"),Wn=Be("choice"),mr=t=>t<60?Be("second")({n:t}):Be("minute")({n:t/60}),fr={log:"Conversation",you:"You",assistant:"Assistant",placeholder:"Write a message",send:"Send",stop:"Stop",newConversation:"New conversation",empty:"Ask something to begin.",loading:"Loading the conversation…",thinking:"Working…",copyAnswer:"Copy answer",copyCode:"Copy code",copied:"Copied",again:"Ask again",turnFailed:"This answer failed.",turnStopped:"You stopped this answer.",taskDone:"done:",taskOpen:"to do:",stopped:"You stopped watching this answer. What was begun may go on.",resume:"Show the rest",waiting:t=>t.n===1?"A question waits for you":`${t.n} questions wait for you`,latest:"Latest message",unsent:"Not sent",lost:"The connection was lost. Trying again…",troubled:"{said} Trying again…",tryNow:"Try now",retry:"Try again",unreachable:"The server could not be reached. Check your connection and try again.",unreachableFrom:"The server could not be reached, or does not let pages of {origin} use it. Check your connection; if others can reach it, tell whoever runs it to list this origin.",signedOut:"You are not signed in, or no longer. Sign in and try again.",forbidden:"You may not do this. Ask whoever runs this site for access.",tooMany:"That was too much at once. Wait a moment and try again.",failed:"Something went wrong at the server. Try again.",connectLink:"Connect",tool:"Tool",toolCalls:"{n} tool calls",toolsDone:"all done",toolsFailed:"{n} failed",toolWriting:"preparing",toolRunning:"running",toolAsking:"waits for you",toolDone:"done",toolFailed:"failed",toolDenied:"denied",toolInput:"Input",toolOutput:"Result",toolError:"Error",image:"Image",imageGone:"{name} cannot be shown.",progressOf:"{done} of {total}",connectTitle:"Connect {service}",visitTitle:"{service} asks you to open a page",approvalTitle:"{service} needs your approval",waitingTitle:"Others decide about {service}",approversHave:"Allowed by {have} of the {need} who are needed.",approverAllowed:"allowed it",approverDenied:"denied it",approverAsked:"is asked",approverLate:"did not answer in time",othersAllowed:"Allowed: {reason}.",othersDenied:"Not allowed: {reason}.",takenBack:"You took it back{place}.",takeBack:"Take it back",formTitle:"{service} asks you",someone:"A service without a name",says:"{service} says:",account:"You answer as",toolLabel:"Tool",arguments:"Arguments",argumentLines:"Arguments, {n} lines",noArguments:"None",address:"You will go to",insecure:"This address is not encrypted: others on the network can read what you enter there.",unsafe:"The address of this question is not safe to open, so it is not offered. You can dismiss the question.",connect:"Connect",visit:"Open the page",dismiss:"Dismiss",decline:"Decline",submit:"Send answer",sending:"Sending…",opened:"Continue in the window that has opened. This card closes when it is done.",openedTab:"Continue in the tab that has opened. This card closes when it is done.",blocked:"Your browser kept the window from opening.",sameWindow:"Open it in this window instead",openAgain:"Open it again",confirming:"Done there. Waiting for the server to confirm…",unsupported:"This question cannot be shown here.",hosted:"Answer it on its own page",allow_once:"Allow once",noLimits:"Take the limits back",remark:"Say why, or ask back",narrow:"Limits for a permission that stays",limitsUnused:"You set limits for a permission that stays. Press “{always}” to use them, or take them back.",always_allow:"Always allow",deny:"Deny",asked_back:"Ask back",expiresIn:"{time} left",expiresAt:"Open until {time}",secondsLeft:t=>`${mr(Number(t.n))} left to answer ${t.service}.`,announce:"Question from {service}: {message}",connected:"Connected{place}.",notConnected:"Not connected: you dismissed it{place}.",visited:"Done{place}.",allowed_once:"You allowed it once{place}.",allowed_always:"You allowed it from now on{place}.",allowed_as:"You chose{place}: {chosen}.",denied:"You denied it{place}.",asked_back_done:"You asked back{place}: the call was not made.",answered:"Answered{place}.",declined:"Declined{place}.",cancelled:"Cancelled{place}.",withdrawn:"No longer asked.",superseded:"A newer question has taken its place.",expired:"Expired. Nobody answered in time.",onPage:" on the hosted page",inSlack:" in Slack",elsewhere:" elsewhere",answerUnreachable:"The answer could not be sent. Check your connection and try again.",answerSignedOut:"You are not signed in, or no longer. Sign in and answer again.",answerForbidden:"This question is not yours to answer, or it does not exist any more.",answerSettled:"Answered elsewhere in the meantime.",answerFailed:"The server could not take the answer. Try again.",answerInvalid:"Please correct what is marked.",required:"required",choose:"Choose…",yes:"Yes",no:"No",emptyOption:"(empty)",noAnswer:"No answer",localTime:"Your local time, UTC{offset}",error:"Error:",hintLength:"{range} characters",hintChoices:"Choose {range}",from:"From {low} to {high}",atLeast:"At least {low}",atMost:"At most {high}",exactly:"Exactly {low}",errorRequired:"{label} is required.",errorNumber:"{label} must be a number.",errorInteger:"{label} must be a whole number.",errorDigits:"{label} has too many digits to be sent from here exactly.",errorMinimum:"{label} must be at least {n}.",errorMaximum:"{label} must be at most {n}.",errorMinLength:t=>`${t.label} must be at least ${Fn(t)} long.`,errorMaxLength:t=>`${t.label} must be at most ${Fn(t)} long.`,errorPattern:"{label} does not have the form that is asked for.",errorEmail:"{label} must be an email address such as name@example.com.",errorUri:"{label} must be a full address such as https://example.com/page.",errorDate:"{label} must be a date such as 2026-01-31.",errorDateTime:"{label} must be a date and time.",errorMinItems:t=>`${t.label} must have at least ${Wn(t)}.`,errorMaxItems:t=>`${t.label} must have at most ${Wn(t)}.`};function Ye(t){return(e,n={})=>{let i=t?.[e]??fr[e];return typeof i=="function"?i(n):i.replace(/\{(\w+)\}/g,(r,s)=>s in n?String(n[s]):r)}}function Qe(t){return t?.context.serviceTitle?.trim()||t?.context.service?.trim()||""}function Ke(t){let e=h(t),n=u(e?.elicitationId),i=e?.mode;if(!(!e||!n||i!=="form"&&i!=="url"))return{elicitationId:n,mode:i,message:u(e.message)??"",url:u(e.url),requestedSchema:e.requestedSchema,fieldOrder:e.fieldOrder===void 0?void 0:$(e.fieldOrder).flatMap(r=>u(r)??[]),expiresAt:u(e.expiresAt),context:br(h(e.context)??{}),approvers:gr(e.approvers),outcome:yr(e.outcome)}}function gr(t){let e=h(t),n=e?.need;if(!e||typeof n!="number")return;let i=$(e.people).flatMap(r=>{let s=h(r),o=u(s?.name);if(!s||!o)return[];let d=u(s.decision);return[{name:o,decision:d,late:d===void 0&&u(s.at)!==void 0}]});return{need:n,people:i}}function br(t){let e=t.arguments;return{trigger:u(t.trigger),service:u(t.service),serviceTitle:u(t.serviceTitle),account:u(t.account),tool:u(t.tool),toolCallId:u(t.toolCallId),parentToolCallId:u(t.parentToolCallId),arguments:typeof e=="string"||e===void 0?e:JSON.stringify(e),server:u(t.server),domain:u(t.domain),settledBy:u(t.settledBy)}}function yr(t){let e=h(t);if(!e)return;let n=Object.entries(h(e.limits)??{}).flatMap(([o,d])=>typeof d=="string"?[[o,d]]:[]),i={via:u(e.via),reason:u(e.reason),at:u(e.at),decision:u(e.decision),limits:n.length>0?Object.fromEntries(n):void 0},r=e.action;return r==="accept"||r==="decline"||r==="cancel"||r==="expire"?{action:r,by:u(e.by),...i}:{action:"cancel",...i}}var Mt=Ye({allowed_once:"Allowed once{place}.",allowed_always:"Allowed from now on{place}.",allowed_as:"Chosen{place}: {chosen}.",denied:"Denied{place}.",notConnected:"Not connected: dismissed{place}."}),vr=new Intl.DateTimeFormat(void 0,{dateStyle:"medium",timeStyle:"short"});function I(t){let e=new Date(t??"");return Number.isNaN(e.valueOf())?"":vr.format(e)}var wr=t=>Pe(Qe(t)||Mt("someone"));function F({question:t}){return be({kind:t.mode==="url"?"connect":"form",question:t,service:wr(t),say:Mt})}var Ge=({question:t})=>f(t.message),$r={inbox:"in the inbox",page:"on its page",chat:"in the chat",slack:"in Slack",terminal:"in the terminal"};function Jn({question:t}){let e=t.outcome;if(!e)return{tone:"neutral",sentence:"",where:""};let n=Ve(t,{...e,via:"chat"},{answered:!1,watched:!1},Mt),i=e.by?`by ${f(e.by)}`:"",r=e.via?$r[e.via]??`through ${f(e.via)}`:"";return{...n,where:[i,r,I(e.at)].filter(s=>s!=="").join(" · ")}}var kr={active:"Connected",expired:"Expired: connect it again",rejected:"Not accepted any more: connect it again",revoked:"Revoked",insufficient_scope:"It may do less than is needed: connect it again"},Ze=class extends ne{path="/api/connections";words={title:"Connected accounts",none:"No account of yours is connected. You are asked when one is needed.",take:"Disconnect",sure:"Really disconnect"};key(e){return u(e.server)??""}called(e){return f(this.key(e))}removal(e){return`/api/connections/${encodeURIComponent(this.key(e))}?${new URLSearchParams({scope:"user",owner:this.user})}`}about(e){let n=$(e.scopes).flatMap(s=>u(s)??[]),i=u(e.provider)??u(e.issuer),r=u(e.status)??"";return a`<strong>${this.called(e)}</strong>
      <div class=${r==="active"?"good":"bad"}>${kr[r]??f(r)}</div>
      <div class="meta">Used for calls of ${this.called(e)} on your behalf${i?`, through ${f(i)}`:""}.</div>
      ${n.length>0?a`<div class="meta">It may: ${n.map(f).join(", ")}</div>`:l}
      <div class="meta">Connected ${I(u(e.created_at))}${e.updated_at?` · renewed ${I(u(e.updated_at))}`:l}</div>`}};function Lt(){return window.isSecureContext?!("serviceWorker"in navigator)||!("PushManager"in window)||!("Notification"in window)?/iPhone|iPad/.test(navigator.userAgent)?"home-screen":"missing":{denied:"denied",granted:"allowed",default:"asks"}[Notification.permission]:"insecure"}var Xe={insecure:"Browsers show notifications of pages that come by https only, and this one does not.",missing:"This browser shows no notifications of pages. Use another one, or be told another way.","home-screen":"On an iPhone or iPad, first add this page to the home screen: Share, then “Add to Home Screen”. Open it from there and come back here.",denied:"This browser was told to show no notifications of this page, and the page cannot ask again. Open the settings of the page, left of its address, allow notifications there, and come back."},Bn="/inbox/sw.js",xr=2e4;async function Ut(){return Lt()!=="allowed"?void 0:await(await navigator.serviceWorker.getRegistration(Bn))?.pushManager.getSubscription()??void 0}async function Nt(t){let e=await crypto.subtle.digest("SHA-256",new TextEncoder().encode(t.endpoint));return[...new Uint8Array(e,0,16)].map(n=>n.toString(16).padStart(2,"0")).join("")}async function Yn(){let t=await Notification.requestPermission();if(t==="denied")throw new S(0,Xe.denied);if(t!=="granted")throw new S(0,"Nothing was chosen, so nothing was turned on. Press the button again and allow notifications.");let e=await Sr(await _r(),u(h(await w("/api/me/push-key"))?.key)??""),{endpoint:n,keys:i}=e.toJSON(),r=JSON.stringify({endpoint:n,key:i?.p256dh,auth:i?.auth,label:Tr(navigator.userAgent)});await w("/api/me/push-subscriptions",{method:"POST",body:r,headers:{"content-type":"application/json"}})}async function Qn(t){let e=await Ut();await w(`/api/me/push-subscriptions/${encodeURIComponent(t)}`,{method:"DELETE"}),e&&await Nt(e)===t&&await e.unsubscribe().catch(()=>!1)}function Kn(t){return w(`/api/me/push-subscriptions/${encodeURIComponent(t)}/test`,{method:"POST"})}async function _r(){let t=await navigator.serviceWorker.register(Bn).catch(n=>{throw new S(0,`This browser did not take what shows notifications: ${n.message}`)}),e=t.active??t.waiting??t.installing;return e&&e.state!=="activated"&&await Ar(e),t}function Ar(t){return new Promise((e,n)=>{let i=()=>n(new S(0,"This browser did not start what shows notifications. Reload the page and try again.")),r=setTimeout(i,xr);t.addEventListener("statechange",()=>{t.state!=="activated"&&t.state!=="redundant"||(clearTimeout(r),t.state==="activated"?e():i())})})}async function Sr({pushManager:t},e){let n={userVisibleOnly:!0,applicationServerKey:e};try{return await t.subscribe(n)}catch(i){let r=i;if(r.name==="NotAllowedError")throw new S(0,Xe.denied);if(r.name!=="InvalidStateError")throw new S(0,Vn)}return await(await t.getSubscription())?.unsubscribe(),t.subscribe(n).catch(()=>{throw new S(0,Vn)})}var Vn="This browser could not reach its push service, which brings notifications to it. Check your connection; some browsers have push messages turned off in their settings.";function Tr(t){let e=(r,s)=>Object.entries(r).find(([,o])=>o.test(t))?.[0]??s,n=e({Edge:/Edg/,Opera:/OPR\//,Firefox:/Firefox|FxiOS/,Chrome:/Chrome|CriOS/,Safari:/Safari/},"A browser"),i=e({iPhone:/iPhone/,iPad:/iPad/,Android:/Android/,Windows:/Windows/,Mac:/Mac OS X|Macintosh/,ChromeOS:/CrOS/,Linux:/Linux/},"");return i?`${n} on ${i}`:n}var et=class extends y{static styles=[k,x,E];static properties={reach:{}};#e;#t;connectedCallback(){super.connectedCallback(),navigator.permissions?.query({name:"notifications"}).then(e=>{this.#t=e,this.isConnected&&e.addEventListener("change",this.#n)}).catch(()=>{})}disconnectedCallback(){super.disconnectedCallback(),this.#t?.removeEventListener("change",this.#n)}willUpdate(e){e.has("reach")&&this.#n()}#n=()=>{Ut().then(e=>e&&Nt(e)).catch(()=>{}).then(e=>{this.#e=e,this.requestUpdate()})};render(){let{devices:e}=this.reach;return a`<section aria-labelledby="devices">
      <h3 id="devices">Notifications in your browsers</h3>
      ${this.#i()}
      ${e.length===0?a`<p class="meta">No browser of yours shows any so far.</p>`:a`<ul class="things">
            ${e.map(n=>this.#r(n))}
          </ul>`}
    </section>`}#i(){let e=Lt();return e!=="asks"&&e!=="allowed"?a`<p class="notice">${Xe[e]}</p>`:e==="allowed"&&this.reach.devices.some(n=>n.id===this.#e)?l:a`<p>
      <button type="button" class="primary" id="on" @click=${this.#s}>Turn on in this browser</button>
    </p>`}#r(e){let n=f(e.label??"A browser"),i=e.id===this.#e;return a`<li class="thing">
      <div class="about">
        <strong>${n}</strong>${i?a` <span class="good">this one</span>`:l}
        <div class="meta">Since ${I(e.since)}</div>
      </div>
      <div class="buttons">
        <button type="button" aria-label="Send a test: ${n}" @click=${()=>this.#o(e)}>Send a test</button>
        <button type="button" class="quiet" aria-label="Turn off: ${n}" @click=${()=>this.#a(e,n)}>Turn off</button>
      </div>
    </li>`}#s=()=>N(this,{work:async()=>(await Yn(),"This browser shows notifications now. Send a test to see one."),focus:".buttons > button, #on"});#o(e){N(this,{work:async()=>(await Kn(e.id),"Sent. It appears within a few seconds. If it does not, look whether the system of that device keeps notifications back.")})}#a(e,n){N(this,{work:async()=>(await Qn(e.id),`No more notifications: ${n}.`),focus:"#on, .buttons > button"})}};function tt(t,e){let n=h(t)??{};return{items:$(n.items).flatMap(i=>nt(i,e)??[]),next:u(n.next_cursor)}}function nt(t,e){let n=h(t),i=u(n?.id);if(!n||!i)return;let r=h(n.labels)??{},s=p=>u(r[p]),o=s("brief"),d=o===void 0?Gn(n,r,e):Er(n,r,o,`${e}/answer/${i}`),c=Ke(d);if(c)return{id:i,pending:n.state==="pending",createdAt:u(n.created_at)??"",asker:s("asker")===u(n.to)?void 0:s("asker"),conversation:u(n.session),others:c.context.trigger==="approvers",long:o!==void 0,request:d,question:c}}function Gn(t,e,n){let i=u(t.url)?.startsWith(`${n}/`);return{elicitationId:t.id,mode:t.mode,message:t.message,url:t.url,requestedSchema:t.requested_schema,expiresAt:t.expires_at,context:{trigger:t.trigger,service:t.from,serviceTitle:e.title,account:t.to,server:e.server,tool:e.tool,settledBy:i?"page":e.settled_by},outcome:Cr(t.outcome)}}function Er(t,e,n,i){return{...Gn({...t,url:i},e,new URL(i).origin),mode:"url",message:n,requestedSchema:void 0}}function Cr(t){let e=h(t);return e&&{...e,decision:e.decision??h(e.content)?.decision}}var it=class extends y{static styles=[k,x,E];static properties={user:{}};#e=[];#t;#n=!1;#i;firstUpdated(){this.#r()}async#r(){if(!this.#n){this.#n=!0,this.#i=void 0,this.requestUpdate();try{let e=new URLSearchParams({state:"settled",user:this.user,limit:"50",...this.#t&&{cursor:this.#t}}),n=tt(await w(`/api/elicitations?${e}`),location.origin);this.#e=[...this.#e,...n.items],this.#t=n.next}catch(e){this.#i=e.message}this.#n=!1,this.requestUpdate()}}render(){return a`<div class="bar"><h2>What was settled</h2></div>
      ${this.#e.length===0&&!this.#n&&!this.#i&&!this.#t?a`<p class="empty">Nothing was asked of you yet, or it was forgotten.</p>`:l}
      <ul class="things">${this.#e.map(Rr)}</ul>
      ${this.#i?a`<p class="problem" role="alert">${this.#i}</p>`:l}
      ${this.#t||this.#i?a`<p><button type="button" @click=${()=>{this.#r()}}>${this.#n?"Reading…":"Show more"}</button></p>`:l}`}};function Rr(t){let e=Jn(t);return a`<li class="thing">
    <div class="about">
      <strong dir="auto">${F(t)}</strong>
      <div class="clip" dir="auto">${Ge(t)}</div>
      <div class="meta">Asked ${I(t.createdAt)}${t.asker?` for ${f(t.asker)}`:""} · <a href="/answer/${t.id}">Its page</a></div>
    </div>
    <div>
      <span class=${e.tone}>${e.sentence}</span>
      <div class="meta">${e.where}</div>
    </div>
  </li>`}var Pr=4;function Dt({question:t,long:e,others:n},i){if(n)return;let r=t.mode==="form"?ie(t.requestedSchema)?.[0]:void 0;return t.context.trigger==="tool_approval"&&!e&&r?.name==="decision"&&r.options.some(o=>o.value===i)?{action:"accept",content:{decision:i}}:i==="deny"?{action:"decline"}:void 0}var rt=class extends y{static styles=[k,x,E,qe];static properties={items:{attribute:!1}};#e=[];#t=new Map;#n="asking";focus(){this.updateComplete.then(()=>this.renderRoot.querySelector("h2")?.focus())}willUpdate(){this.#n==="asking"&&(this.#e=this.items)}render(){let e=this.#e.filter(n=>!Dt(n,"allow_once")).length;return a`<h2 tabindex="-1">${this.#e.length} questions</h2>
      ${e>0&&this.#n==="asking"?a`<p class="muted">${e} of them cannot be allowed from here. They stay open when you allow the others, and are declined, where that is possible, when you deny them all.</p>`:l}
      <div class="bar">${this.#r(e)}</div>
      <div role="status" class="meta">${this.#s()}</div>
      <table>
        <thead>
          <tr><th scope="col">Question</th><th scope="col">What it says</th><th scope="col">Result</th></tr>
        </thead>
        <tbody>
          ${this.#e.map(n=>this.#i(n))}
        </tbody>
      </table>`}#i(e){let n=this.#t.get(e.id),i=e.question.context.trigger==="tool_approval";return a`<tr>
      <td>${F(e)}</td>
      <td class="words" dir="auto">${i?Q(e.question.message):U(e.question.message)}</td>
      <td class=${n?.tone??""}>${n?.text??"Open"}</td>
    </tr>`}#r(e){if(this.#n==="done")return a`<button type="button" class="primary" @click=${()=>this.#l("inbox-done","")}>Back to the list</button>`;let n=this.#n==="sending";return a`<button type="button" id="allow" aria-disabled=${n||e===this.#e.length} @click=${()=>{this.#o("allow_once")}}>
        Allow each once
      </button>
      <button type="button" id="deny" aria-disabled=${n} @click=${()=>{this.#o("deny")}}>Deny each</button>`}#s(){if(this.#n==="asking")return"";let e=[...this.#t.values()].filter(n=>n.tone==="bad").length;return`${this.#t.size} of ${this.#e.length} done${e>0?`, ${e} not as you said`:""}.`}async#o(e){if(this.#n!=="asking"||e==="allow_once"&&!this.#e.some(r=>Dt(r,e)))return;this.#n="sending",this.requestUpdate();let n=[...this.#e],i=async()=>{for(let r=n.shift();r;r=n.shift())await this.#a(r,e)};await Promise.all(Array.from({length:Pr},i)),this.#n="done",this.requestUpdate()}async#a(e,n){let i=Dt(e,n);if(!i)this.#t.set(e.id,{tone:"muted",text:"Left open: answer it by itself."});else try{await bn(e.id,i.action,i.content),this.#t.set(e.id,{tone:"good",text:n==="allow_once"?"Allowed once.":i.content?"Denied.":"Declined."}),this.#l("inbox-answered",e.id)}catch(r){this.#t.set(e.id,{tone:"bad",text:r.message})}this.requestUpdate()}#l(e,n){this.dispatchEvent(new CustomEvent(e,{detail:n}))}};var st=class extends ne{path="/api/permissions";words={title:"What you have allowed and refused",none:"Nothing is allowed or refused for good. You are asked each time.",take:"Take back",sure:"Really take back"};key(e){return u(e.id)??""}called(e){let n=u(e.tool),i=f(u(e.server)??"");return n?[f(n),i&&`of ${i}`].join(" ").trim():`every tool of ${i}`}removal(e){return`/api/permissions/${encodeURIComponent(this.key(e))}?${new URLSearchParams({user:this.user})}`}about(e){let n=e.effect==="allow",i=u(e.until),r=u(e.arguments),s=[e.once===!0?"for one call":"",e.session?"in one conversation":"",e.digest?"with these arguments only":"with any arguments",i?`until ${I(i)}`:"until you take it back"].filter(o=>o!=="");return a`<strong><span class=${n?"good":"bad"}>${n?"Allowed":"Refused"}</span>: ${this.called(e)}</strong>
      <div>${s.join(", ")}</div>
      ${r?a`<pre tabindex="0" role="region" aria-label="Arguments of ${this.called(e)}">${Ie(r)}</pre>`:l}
      <div class="meta">Since ${I(u(e.created_at))} · used ${String(e.uses??0)} times</div>`}};var Zn=X(class extends j{constructor(){super(...arguments),this.key=l}render(t,e){return this.key=t,e}update(t,[e,n]){return e!==this.key&&(te(t),this.key=e),n}});var ot=class{constructor(e,n,i){this.user=e;this.changed=n;this.settled=i}user;changed;settled;items=[];next;loading=!0;problem;connected=!0;#e;#t=new Set;run(e){return yn(this.user,{item:n=>this.#i(nt(n,location.origin)),reload:()=>{this.reload()},connected:n=>{!n&&!this.#e&&this.reload(),n!==this.connected&&(this.connected=n,this.changed())}},e)}async reload(){await this.#e,await(this.#e=this.#r(async()=>{let e=this.items,n=[],i;do{let o=await this.#s(i);n.push(...o.items),i=o.next}while(i&&n.length<e.length);this.items=n,this.next=i;let r=new Set(n.map(o=>o.id)),s=n.at(-1)?.id??"";for(let o of e)!r.has(o.id)&&(!i||o.id>s)&&await this.#n(o.id)}))}async more(){!this.next||this.loading||await(this.#e=this.#r(async()=>{let e=await this.#s(this.next);this.items=Xn(this.items,e.items),this.next=e.next}))}async upTo(e){for(await this.#e;this.next&&!this.problem&&this.items.length<e;)await this.more()}remove(e){this.#t.add(e),this.items=this.items.filter(n=>n.id!==e),this.changed()}async#n(e){this.#i(nt(await w(`/api/elicitations/${encodeURIComponent(e)}`),location.origin))}#i(e){e&&(e.pending?this.items=Xn(this.items,this.#t.has(e.id)?[]:[e]):(this.remove(e.id),this.settled(e)),this.changed())}async#r(e){this.loading=!0,this.problem=void 0,this.changed();try{await e()}catch(n){this.problem=n.message}this.loading=!1,this.#e=void 0,this.changed()}async#s(e){let n=new URLSearchParams({state:"pending",user:this.user,limit:"50",...e&&{cursor:e}}),i=tt(await w(`/api/elicitations?${n}`),location.origin);return{...i,items:i.items.filter(r=>!this.#t.has(r.id))}}};function Xn(t,e){return[...new Map([...t,...e].map(i=>[i.id,i])).values()].sort((i,r)=>i.id<r.id?1:-1)}var jt=500,at=class extends y{static styles=[k,x,E,qe];static properties={user:{}};#e;#t;#n;#i="";#r=!1;#s=new Map;#o=!1;#a;#l;#c="";connectedCallback(){super.connectedCallback(),this.addEventListener("keydown",this.#S),this.addEventListener("parley-answered",this.#d),this.addEventListener("parley-hint",()=>{this.#e?.reload()})}disconnectedCallback(){super.disconnectedCallback(),this.removeEventListener("keydown",this.#S),this.removeEventListener("parley-answered",this.#d),this.#t?.abort(),this.#e=void 0}#m(){this.#t=new AbortController;let e=new ot(this.user,()=>this.#T(),n=>this.#p(n));return e.run(this.#t.signal),e}#T(){let{items:e,next:n,loading:i}=this.#e;(!this.#i||!e.some(o=>o.id===this.#i))&&this.#g();let r=e.filter(o=>!o.others).length,s=r===0?"":`${r}${n?"+":""}`;!i&&s!==this.#l&&(this.#l=s,this.dispatchEvent(new CustomEvent("inbox-count",{detail:s}))),this.requestUpdate()}#g(){let e=this.shadowRoot?.activeElement?.classList.contains("row"),{items:n}=this.#e;this.#i=(n.find(i=>i.id<this.#i)??n.at(-1))?.id??"",e&&(this.#a="row")}#p(e){this.#s.delete(e.id),this.#n?.id===e.id?this.#n=e:this.#c=`No longer open: ${F(e)}`}#d=e=>this.#e?.remove(e.detail.elicitationId);render(){let e=this.#e??=this.#m(),n=this.#n!==void 0||this.#o;return a`<div class="panes ${n?"opened":""}">
        <div class="choose">${this.#b(e)} ${this.#f(e)} ${this.#y(e)}</div>
        <section class="detail ${n?"":"none"}" aria-label="Open question">${this.#C(e)}</section>
      </div>
      <div class="hidden" role="status">${this.#c}</div>`}#b({items:e,next:n}){return e.length===0?l:a`<div class="bar">
      <h2>Waiting for you</h2>
      ${this.#r?a`<button type="button" @click=${()=>{this.#x()}}>Choose all${n?`, up to ${jt}`:""}</button>
            <button type="button" class="primary" aria-disabled=${this.#s.size===0} @click=${this.#_}>Answer ${this.#s.size}…</button>
            <button type="button" class="quiet" @click=${this.#u}>Cancel</button>`:a`<button type="button" @click=${()=>this.#v(()=>this.#r=!0)}>Choose several</button>`}
    </div>`}#f({problem:e,connected:n,loading:i,items:r}){return a`${e?a`<p class="problem" role="alert">${e} <button type="button" @click=${()=>{this.#e?.reload()}}>Try again</button></p>`:l}
      ${n?l:a`<p class="notice" role="status">The connection is lost. Trying again…</p>`}
      ${r.length>0||e?l:i?a`<p class="empty">Looking for questions…</p>`:a`<p class="empty">Nothing waits for you. New questions appear here by themselves.</p>`}`}#y({items:e,next:n,loading:i}){return e.length===0?l:a`<p class="hidden" id="keys">Use j and k or the arrow keys to go from one to the next, Enter to open one, Escape to come back.</p>
      <ul class="list" aria-label="Open questions" aria-describedby="keys" @scroll=${this.#A}>
        ${Ne(e,r=>r.id,r=>this.#E(r))}
        ${n?a`<li class="more"><button type="button" @click=${()=>{this.#e?.more()}}>${i?"Reading…":"Show more"}</button></li>`:l}
      </ul>`}#E(e){let n=e.asker?` · for ${f(e.asker)}`:"";return a`<li>
      ${this.#r?a`<label class="pick"><span class="hidden">Choose: ${F(e)}</span
            ><input type="checkbox" .checked=${this.#s.has(e.id)} @change=${()=>this.#R(e)} /></label>`:l}
      <button type="button" class="row" data-id=${e.id} tabindex=${e.id===this.#i?0:-1} aria-current=${e.id===this.#n?.id}
        @focus=${()=>this.#v(()=>this.#i=e.id)} @click=${()=>this.#w(e)}>
        <strong dir="auto">${F(e)}</strong>
        <span class="clip" dir="auto">${Ge(e)}</span>
        <span class="meta">${I(e.createdAt)}${n}</span>
      </button>
    </li>`}#C(e){let n=a`<button type="button" class="back" @click=${this.#k}>Back to the list</button>`;if(this.#o)return a`${n}<parley-inbox-many .items=${[...this.#s.values()]} @inbox-done=${this.#u}
          @inbox-answered=${o=>e.remove(o.detail)}></parley-inbox-many>`;let i=this.#n;if(!i)return a`<p class="empty keys">${e.items.length===0?l:a`Choose a question: <kbd>j</kbd> <kbd>k</kbd> <kbd>Enter</kbd>`}</p>`;let r=e.items.some(o=>o.id!==i.id),s=!i.pending||!e.items.some(o=>o.id===i.id);return a`${n}
      <p class="meta">Asked ${I(i.createdAt)}${i.asker?a` for <bdi>${f(i.asker)}</bdi>`:l} ·
        <a href="/answer/${i.id}" target="_blank" rel="noopener">Its own page</a></p>
      ${Zn(i.id,a`<parley-question .request=${i.request} endpoint="/answer/${i.id}"></parley-question>`)}
      ${s?a`<div class="after">
            ${r?a`<button type="button" class="primary" id="next" @click=${this.#$}>Next question</button>`:a`<p class="muted">Nothing else waits for you.</p>`}
          </div>`:l}`}#v(e){e(),this.requestUpdate()}#w(e){this.#n=e,this.#i=e.id,this.#o=!1,this.#a="question",this.requestUpdate()}#$=()=>{let{items:e}=this.#e,n=e.find(i=>i.id<(this.#n?.id??""))??e[0];n&&this.#w(n)};#k=()=>{this.#n=void 0,this.#o=!1,this.#a="row",this.requestUpdate()};#R(e){this.#s.delete(e.id)||this.#s.set(e.id,e),this.requestUpdate()}async#x(){await this.#e?.upTo(jt);for(let e of this.#e?.items.slice(0,jt)??[])this.#s.set(e.id,e);this.requestUpdate()}#_=()=>{this.#s.size!==0&&(this.#o=!0,this.#n=void 0,this.#a="many",this.requestUpdate())};#u=()=>{this.#o&&this.#e?.reload(),this.#r=this.#o=!1,this.#s.clear(),this.#a="row",this.requestUpdate()};#A=e=>{let n=e.currentTarget;n.scrollHeight-n.scrollTop-n.clientHeight<400&&this.#e?.more()};#S=e=>{let n=e.composedPath()[0],i=/^(input|textarea|select)$/i.test(n.tagName)||n.isContentEditable;if(e.ctrlKey||e.metaKey||e.altKey||e.defaultPrevented)return;if(e.key==="Escape"&&(this.#n||this.#o))return e.preventDefault(),this.#k();let r=n.classList.contains("row"),s={j:1,k:-1,...r&&{ArrowDown:1,ArrowUp:-1}}[e.key];i||s===void 0||(e.preventDefault(),this.#h(s,r))};#h(e,n){let{items:i}=this.#e,r=i.findIndex(o=>o.id===this.#i),s=i[Math.max(0,Math.min(i.length-1,n?r+e:r))];s&&(this.#i=s.id,this.#a="row",r+e>=i.length-5&&this.#e?.more(),this.requestUpdate())}async updated(){let e=this.#a;if(this.#a=void 0,e==="row"&&this.renderRoot.querySelector(`.row[data-id="${CSS.escape(this.#i)}"]`)?.focus(),e==="many"&&this.renderRoot.querySelector("parley-inbox-many")?.focus(),e!=="question")return;let n=this.renderRoot.querySelector("parley-question");await n?.updateComplete,n?.focus()}};function zt(t,e,n){let i=ei(t);if(!i||i.protocol!=="https:"&&i.protocol!=="http:"||i.username!==""||i.password!=="")return;let{hostname:r,host:s,href:o,origin:d}=i,c=n&&(r===n||r.endsWith(`.${n}`)),p=c?n:s,g=o.indexOf("//")+2+(c?r.length-n.length:0);return{href:o,before:o.slice(0,g),trust:p,after:o.slice(g+p.length),foreign:d!==ei(e)?.origin,insecure:i.protocol==="http:"&&!Ir(r)}}function ei(t){try{return new URL(t??"")}catch{return}}function Ir(t){return t==="localhost"||t.endsWith(".localhost")||t==="[::1]"||/^127(\.\d+){3}$/.test(t)}var se=class extends Error{constructor(n,i,r=[]){super(i??`status ${n}`);this.status=n;this.said=i;this.fields=r}status;said;fields;get passing(){return this.status>=500||this.status===408||this.status===425||this.status===429}};async function ti(t,e,n,i){let r=JSON.stringify({conversationId:n,...i}),s=await Or(t,e,{method:"POST",body:r});if(!s.ok)throw await qr(s)}async function Or(t,e,n){let i=new Headers({"x-supports-elicitation":"true"});n.body!==void 0&&i.set("content-type","application/json");let r=e.token||await e.getToken?.();return r&&i.set("authorization",`Bearer ${r}`),fetch(t,{...n,headers:i,cache:"no-store",credentials:r?"same-origin":"include"})}async function qr(t){let e=h(K(await t.text().catch(()=>""))),n=e?.error,i=[];for(let r of $(e?.fields)){let s=u(h(r)?.message),o=(u(h(r)?.field)??"").replace(/\[\d+\]$/,"");s&&i.push({field:o,message:s})}return new se(t.status,u(n)??u(h(n)?.message),i)}var lt=class{#e=0;now(){return Date.now()+this.#e}note(e){let n=Date.parse(e.headers.get("date")??"");if(Number.isNaN(n))return;let i=n+500-Date.now();this.#e=Math.abs(i)>2e3?i:0}},ye=1e3,ct=60*ye,dt=60*ct,ni=24*dt;function ii(t){let e=Math.max(0,t);if(e>=2*ni)return`${Math.floor(e/ni)} d`;if(e>=dt)return`${Math.floor(e/dt)} h ${Math.floor(e%dt/ct)} min`;let n=Math.ceil(e/ye);return`${Math.floor(n/60)}:${String(n%60).padStart(2,"0")}`}var Mr=[5*ct,ct,30*ye,10*ye];function ri(t,e){let n=Mr.filter(i=>t>i&&e<=i);return n.length>0&&e>0?Math.min(...n)/ye:void 0}var ut=class{constructor(e,n,i){this.host=e;this.say=n;this.over=i;e.addController(this)}host;say;over;left;#e=Number.NaN;#t;#n;#i=!1;start(e,n){this.#e=Date.parse(e??""),this.#t=n;let i=this.#e-n.now();this.left=i>0?i:void 0,this.#r()}stop(){this.left=void 0,this.#r()}hostConnected(){this.#i=!0,this.#r()}hostDisconnected(){this.#i=!1,this.#r()}#r(){clearInterval(this.#n),this.#i&&this.left!==void 0&&(this.#n=setInterval(()=>this.#s(),1e3))}#s(){let e=this.left??0;this.left=Math.max(0,this.#e-this.#t.now());let n=ri(e,this.left);n!==void 0&&this.say(n),this.left===0&&(this.stop(),this.over()),this.host.requestUpdate()}};function si(t){let e=Math.min(560,screen.availWidth),n=Math.min(760,screen.availHeight),i=Math.round(window.screenX+(window.outerWidth-e)/2),r=Math.round(window.screenY+(window.outerHeight-n)/2),s=window.open(t,"parley-connect",`popup,width=${e},height=${n},left=${i},top=${r}`);return!s||s.closed?!1:(s.focus(),!0)}var oi=C`
  :host {
    display: block;
    container-type: inline-size;
  }
  .card {
    border: 1px solid var(--_hair);
    border-radius: var(--_radius);
    background: var(--_surface);
    box-shadow: 0 1px 2px light-dark(rgb(20 30 50 / 6%), transparent), 0 6px 20px light-dark(rgb(20 30 50 / 7%), transparent);
    overflow: clip;
  }
  .card.open {
    border-color: color-mix(in srgb, var(--_accent) 45%, var(--_hair));
    animation: arrive 0.22s ease-out;
  }
  @keyframes arrive {
    from {
      opacity: 0;
      transform: translateY(6px);
    }
  }
  header {
    display: flex;
    align-items: center;
    gap: 0.7rem;
    padding: 0.85rem 1.1rem 0;
  }
  .badge {
    display: grid;
    place-items: center;
    flex: none;
    inline-size: 2.25rem;
    block-size: 2.25rem;
    border-radius: min(var(--_radius), 0.65rem);
    background: var(--_bubble);
    color: var(--_accent);
  }
  .title {
    flex: 1;
    min-inline-size: 0;
    font-size: 1.05em;
    font-weight: 650;
    line-height: 1.3;
    text-wrap: pretty;
  }
  bdi,
  .isolate {
    unicode-bidi: isolate;
  }
  .timer {
    display: inline-flex;
    align-items: center;
    gap: 0.3em;
    flex: none;
    padding: 0.15rem 0.55rem;
    border-radius: 99px;
    background: var(--_sunken);
    color: var(--_muted);
    font-size: 0.8125rem;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .timer svg {
    inline-size: 1em;
    block-size: 1em;
  }
  .timer.soon {
    background: color-mix(in srgb, var(--_warning) 14%, var(--_surface));
    color: var(--_warning);
    font-weight: 600;
  }
  .body {
    display: grid;
    gap: 1rem;
    padding: 0.85rem 1.1rem 1.1rem;
  }
  .message {
    padding: 0.7rem 0.9rem;
    border-radius: var(--_radius-small);
    background: var(--_sunken);
  }
  .message:has(.whole) {
    padding: 0;
    background: none;
  }
  .from {
    display: block;
    margin-block-end: 0.1rem;
    color: var(--_muted);
    font-size: 0.8125rem;
  }
  .words {
    white-space: pre-wrap;
    unicode-bidi: plaintext;
  }
  .words.exact {
    unicode-bidi: isolate;
  }
  dl {
    display: grid;
    gap: 0.7rem;
  }
  dt,
  .caption {
    margin-block-end: 0.2rem;
    color: var(--_muted);
    font-size: 0.8125rem;
  }
  .address {
    display: block;
    color: var(--_muted);
    direction: ltr;
    text-align: start;
    word-break: break-all;
  }
  .address strong {
    color: var(--_text);
    font-size: 1.08em;
    font-weight: 700;
  }
  .arguments,
  .words.whole {
    max-block-size: 15rem;
    padding: 0.7rem 0.9rem;
    border: 1px solid var(--_hair);
    border-radius: var(--_radius-small);
    /* A shadow at an edge says that there is more beyond it. */
    --_shade: light-dark(rgb(20 30 50 / 22%), rgb(0 0 0 / 60%));
    background:
      linear-gradient(var(--_sunken) 40%, transparent) top / 100% 2.5rem no-repeat local,
      linear-gradient(transparent, var(--_sunken) 60%) bottom / 100% 2.5rem no-repeat local,
      linear-gradient(var(--_shade), transparent) top / 100% 0.75rem no-repeat scroll,
      linear-gradient(transparent, var(--_shade)) bottom / 100% 0.75rem no-repeat scroll,
      var(--_sunken);
    direction: ltr;
    text-align: left;
    white-space: pre-wrap;
    overflow: auto;
    tab-size: 2;
  }
  .form {
    display: grid;
    gap: 1.1rem;
  }
  .field {
    min-inline-size: 0;
  }
  .wrong {
    padding-inline-start: 0.8rem;
    border-inline-start: 3px solid var(--_danger);
  }
  .field > label:not(.option),
  .legend,
  .strong {
    font-weight: 600;
  }
  .field > label:not(.option) {
    display: block;
    margin-block-end: 0.25rem;
  }
  .legend {
    margin-block-end: 0.15rem;
  }
  .required {
    color: var(--_muted);
    font-size: 0.8125rem;
    font-weight: 400;
  }
  .hint {
    margin-block-end: 0.3rem;
    color: var(--_muted);
    font-size: 0.8125rem;
  }
  .error {
    margin-block-end: 0.3rem;
    color: var(--_danger);
    font-size: 0.875rem;
    font-weight: 600;
  }
  :is(input, select, textarea)[aria-invalid="true"]:not([type="checkbox"]) {
    border-color: var(--_danger) !important;
  }
  textarea {
    resize: vertical;
    field-sizing: content;
    min-block-size: 5.5rem;
    max-block-size: 24rem;
  }
  .option {
    display: flex;
    align-items: flex-start;
    gap: 0.65rem;
    padding: 0.35rem 0;
    cursor: pointer;
  }
  .option input {
    flex: none;
    inline-size: 1.25rem;
    block-size: 1.25rem;
    margin: 0.1rem 0 0;
    accent-color: var(--_accent);
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 0.6rem;
  }
  .status,
  .problem,
  .warn {
    display: flex;
    align-items: flex-start;
    gap: 0.5rem;
    font-size: 0.9rem;
  }
  .status svg,
  .problem svg,
  .warn svg {
    margin-block-start: 0.1em;
  }
  .status {
    color: var(--_muted);
  }
  .problem {
    padding: 0.6rem 0.8rem;
    border-radius: var(--_radius-small);
    background: color-mix(in srgb, var(--_danger) 9%, var(--_surface));
    color: var(--_danger);
    font-weight: 600;
  }
  .warn {
    color: var(--_warning);
  }
  .account {
    color: var(--_muted);
    font-size: 0.8125rem;
  }
  .account bdi {
    color: var(--_text);
    font-weight: 600;
  }
  .settled header {
    padding-block-end: 0.85rem;
  }
  .settled .badge {
    background: var(--_sunken);
    color: var(--_muted);
  }
  .settled .badge.good {
    background: color-mix(in srgb, var(--_success) 14%, var(--_surface));
    color: var(--_success);
  }
  .settled .badge.bad {
    background: color-mix(in srgb, var(--_danger) 11%, var(--_surface));
    color: var(--_danger);
  }
  .settled .title {
    color: var(--_muted);
    font-size: 0.9em;
    font-weight: 500;
  }
  .settled .sentence {
    display: block;
    color: var(--_text);
    font-size: 1rem;
    font-weight: 600;
  }
  .settled .sentence:focus {
    outline: none;
  }
  .settled:has(.sentence:focus-visible) {
    outline: 2px solid var(--_accent);
  }
  @container (max-width: 26rem) {
    header {
      padding: 0.8rem 0.9rem 0;
    }
    .body {
      padding: 0.8rem 0.9rem 0.9rem;
    }
    .buttons > * {
      flex: 1 1 100%;
    }
    .arguments,
    .words.whole {
      max-block-size: min(12rem, 22dvh);
    }
    header:has(.timer) {
      flex-wrap: wrap;
    }
    header:has(.timer) .title {
      flex-basis: 60%;
    }
  }
  @media (forced-colors: active) {
    .card,
    .message,
    .badge {
      border: 1px solid CanvasText;
    }
  }

  .panel ul {
    display: grid;
    gap: 0.35rem;
    list-style: none;
    margin: 0.4rem 0 0;
    padding: 0;
  }
  .panel p {
    margin: 0;
  }
  .panel li {
    align-items: center;
    display: flex;
    flex-wrap: wrap;
    gap: 0.4rem;
  }
  .panel li svg {
    flex: none;
    height: 1rem;
    width: 1rem;
  }
  .panel li bdi {
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .panel li.good svg {
    color: var(--_success);
  }
  .panel li.bad svg {
    color: var(--_danger);
  }
`;var Lr=6e4,pt=class extends y{static styles=[k,x,oi];static properties={request:{attribute:!1},endpoint:{},base:{},conversation:{},token:{attribute:!1},getToken:{attribute:!1},strings:{attribute:!1},theme:{reflect:!0},clock:{attribute:!1}};#e;#t;#n={};#i=Object.create(null);#r;#s="ready";#o;#a={answered:!1,watched:!1};#l="";#c;#m=new ut(this,e=>this.#l=this.#d("secondsLeft",{n:e,service:this.#b()}),()=>this.#p({action:"expire"}));constructor(){super(),this.clock=new lt}get pending(){return this.#e!==void 0&&!this.#e.outcome&&!this.#o}focus(e){this.renderRoot.querySelector("#outcome, #title")?.focus(e)}refuse(e,n=[]){this.#A("ready"),this.#r=[e,...this.#_(n)].join(" "),this.requestUpdate()}connectedCallback(){super.connectedCallback(),window.addEventListener("message",this.#$)}disconnectedCallback(){super.disconnectedCallback(),window.removeEventListener("message",this.#$)}willUpdate(e){e.has("request")&&this.#T(Ke(this.request))}#T(e){let n=e?.elicitationId!==this.#e?.elicitationId;this.#e=e,n&&(this.#t=e?.mode==="form"?ie(e.requestedSchema,e.fieldOrder):void 0,this.#n=In(this.#t??[]),this.#i=Object.create(null),this.#r=this.#o=void 0,this.#s="ready",this.#a={answered:!1,watched:!1},this.#m.start(e?.expiresAt,this.clock)),this.pending?this.#a.watched=!0:this.#g()}#g(){this.#m.stop(),this.shadowRoot?.activeElement&&(this.#c="outcome")}#p(e){this.#o=e,this.#g(),this.requestUpdate()}get#d(){return Ye(this.strings)}#b(){return Pe(Qe(this.#e)||this.#d("someone"))}#f(){return new URL(this.base||this.endpoint||location.origin,document.baseURI).href}#y(){let e=this.#e;if(e.context.trigger==="approvers")return"waiting";if(e.mode==="url")return"connect";if(!this.#t)return"unsupported";let[n,...i]=this.#t;return e.context.trigger==="tool_approval"&&n?.name==="decision"&&n.kind==="choice"&&!i.some(s=>s.required||s.kind!=="choice"&&!(s.kind==="string"&&s.name==="reason"))?"approval":"form"}render(){if(!this.#e)return l;let e=this.#C(this.#e),n=this.#E();return a`${n?jn(e,n):Nn(e,this.#v())}
      <div class="hidden" role="status">${n&&this.#a.watched?n.sentence:this.#l}</div>
      <div class="hidden" role="alert">${n?l:this.#r}</div>`}#E(){let e=this.#e.outcome??this.#o;return e==="elsewhere"?{tone:"neutral",sentence:this.#d("answerSettled")}:e&&Ve(this.#e,e,this.#a,this.#d)}#C(e){let n=this.#f();return{kind:this.#y(),question:e,service:this.#b(),phase:this.#s,problem:this.#r,address:e.mode==="url"?zt(e.url,n,e.context.domain):void 0,hosted:new URL(`answer/${encodeURIComponent(e.elicitationId)}`,new URL("/",n)).href,fields:this.#t??[],entries:this.#n,errors:this.#i,say:this.#d,open:this.#w,submit:this.#k,decline:()=>{this.#u("decline")},decide:i=>this.#R(i),enter:(i,r)=>{this.#n={...this.#n,[i]:r},delete this.#i[i],this.requestUpdate()}}}#v(){let{left:e}=this.#m;if(e===void 0)return l;let n=new Date(this.#e?.expiresAt??"").toLocaleString(this.lang||void 0);return a`<span class="timer ${e<=Lr?"soon":""}" role="timer" aria-live="off"
      title=${this.#d("expiresAt",{time:n})}>${T.clock}${this.#d("expiresIn",{time:ii(e)})}</span>`}#w=e=>{let{url:n,context:i}=this.#e,r=zt(n,this.#f());if(!r)return e.preventDefault();this.#r=void 0,this.#s=r.foreign||si(r.href)?"opened":"blocked",this.requestUpdate(),r.foreign&&i.trigger==="mcp_elicitation"&&i.settledBy!=="page"&&this.#u("accept")};#$=e=>{let n=e.data;!this.pending||n?.type!=="parley:settled"||n.elicitationId!==this.#e?.elicitationId||e.origin===new URL(this.#f()).origin&&(this.#s="confirming",this.requestUpdate(),this.#h("parley-hint",{elicitationId:n.elicitationId}))};#k=e=>{e.preventDefault();let{content:n,errors:i}=ze(this.#t??[],this.#n,this.#d);this.#i=i,Object.keys(i).length>0?this.#x():this.#u("accept",n)};#R(e){let[n,...i]=this.#t??[],{content:r}=ze(i.filter(p=>p.kind==="choice"),this.#n,this.#d),s=e==="always_allow";if(e==="allow_once"&&Object.keys(r).length>0){let p=n?.options.find(g=>g.value==="always_allow")?.label??this.#d("always_allow");return this.#r=this.#d("limitsUnused",{always:f(p)}),this.requestUpdate()}let o=s||e==="allow_once",{content:d}=ze(i.filter(p=>p.kind==="string"),this.#n,this.#d),c={...s&&r,...!o&&d,decision:e};this.#u("accept",c,qt(this.#t??[],c))}#x(){this.#r=this.#d("answerInvalid");let e=this.#t?.findIndex(n=>n.name in this.#i)??-1;e>=0&&(this.#c=Mn({id:`field-${e}`,field:this.#t[e]})),this.requestUpdate()}#_(e){let n=[];for(let{field:i,message:r}of e)this.#t?.some(s=>s.name===i)?this.#i[i]=r:n.push(r);return n}async#u(e,n,i){if(this.#s==="sending"||!this.pending)return;let{elicitationId:r}=this.#e,s={elicitationId:r,action:e,...n&&{content:n}},o=this.#s;if(this.#s="sending",this.#r=void 0,this.#a={answered:!0,watched:!0,decision:this.#y()==="approval"?String(n?.decision):void 0,chosen:i},this.requestUpdate(),!this.#h("parley-answer",s)||!this.endpoint)return;let d=()=>this.#e?.elicitationId===r;try{await ti(this.endpoint,{base:"",token:this.token,getToken:this.getToken},this.conversation??"",s)}catch(c){d()&&this.#S(c,o);return}d()&&this.#p({action:e}),this.#h("parley-answered",s)}#A(e){this.#s=e,this.#a={answered:!1,watched:!0}}#S(e,n){this.#A(n);let i=e instanceof se?e.status:0;if(e instanceof se&&i===400){let r=this.#_(e.fields);this.#x(),(r.length>0||e.fields.length===0)&&(this.#r=r.join(" ")||e.said||this.#d("answerFailed"))}else i===409?this.#p("elsewhere"):i===410?this.#p({action:"expire"}):i===401?this.#r=this.#d("answerSignedOut"):i===403||i===404?this.#r=this.#d("answerForbidden"):this.#r=this.#d(i===0?"answerUnreachable":"answerFailed");this.requestUpdate(),this.#h("parley-refused",{elicitationId:this.#e.elicitationId,status:i})}#h(e,n){return this.dispatchEvent(new CustomEvent(e,{bubbles:!0,composed:!0,cancelable:e==="parley-answer",detail:n}))}updated(){let e=this.#c;this.#c=void 0,e&&this.renderRoot.querySelector(`#${e}`)?.focus()}};customElements.define("parley-question",pt);customElements.define("parley-inbox-many",rt);customElements.define("parley-inbox-questions",at);customElements.define("parley-inbox-history",it);customElements.define("parley-inbox-connections",Ze);customElements.define("parley-inbox-permissions",st);customElements.define("parley-inbox-absence",Le);customElements.define("parley-inbox-channels",De);customElements.define("parley-inbox-devices",et);customElements.define("parley-inbox-notifications",Me);customElements.define("parley-inbox",Oe);
/*! Bundled license information:

@lit/reactive-element/css-tag.js:
  (**
   * @license
   * Copyright 2019 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)

@lit/reactive-element/reactive-element.js:
lit-html/lit-html.js:
lit-element/lit-element.js:
lit-html/directive.js:
lit-html/directives/repeat.js:
  (**
   * @license
   * Copyright 2017 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)

lit-html/is-server.js:
  (**
   * @license
   * Copyright 2022 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)

lit-html/directive-helpers.js:
lit-html/directives/live.js:
  (**
   * @license
   * Copyright 2020 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)

lit-html/directives/keyed.js:
  (**
   * @license
   * Copyright 2021 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)
*/
