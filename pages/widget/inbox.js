var Ae=globalThis,Se=Ae.ShadowRoot&&(Ae.ShadyCSS===void 0||Ae.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,$t=Symbol(),Zt=new WeakMap,pe=class{constructor(e,n,r){if(this._$cssResult$=!0,r!==$t)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=e,this.t=n}get styleSheet(){let e=this.o,n=this.t;if(Se&&e===void 0){let r=n!==void 0&&n.length===1;r&&(e=Zt.get(n)),e===void 0&&((this.o=e=new CSSStyleSheet).replaceSync(this.cssText),r&&Zt.set(n,e))}return e}toString(){return this.cssText}},Xt=t=>new pe(typeof t=="string"?t:t+"",void 0,$t),E=(t,...e)=>{let n=t.length===1?t[0]:e.reduce((r,i,s)=>r+(o=>{if(o._$cssResult$===!0)return o.cssText;if(typeof o=="number")return o;throw Error("Value passed to 'css' function must be a 'css' function result: "+o+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(i)+t[s+1],t[0]);return new pe(n,t,$t)},en=(t,e)=>{if(Se)t.adoptedStyleSheets=e.map(n=>n instanceof CSSStyleSheet?n:n.styleSheet);else for(let n of e){let r=document.createElement("style"),i=Ae.litNonce;i!==void 0&&r.setAttribute("nonce",i),r.textContent=n.cssText,t.appendChild(r)}},wt=Se?t=>t:t=>t instanceof CSSStyleSheet?(e=>{let n="";for(let r of e.cssRules)n+=r.cssText;return Xt(n)})(t):t;var{is:_r,defineProperty:Tr,getOwnPropertyDescriptor:Ar,getOwnPropertyNames:Sr,getOwnPropertySymbols:Er,getPrototypeOf:Rr}=Object,Ee=globalThis,tn=Ee.trustedTypes,Cr=tn?tn.emptyScript:"",Pr=Ee.reactiveElementPolyfillSupport,he=(t,e)=>t,kt={toAttribute(t,e){switch(e){case Boolean:t=t?Cr:null;break;case Object:case Array:t=t==null?t:JSON.stringify(t)}return t},fromAttribute(t,e){let n=t;switch(e){case Boolean:n=t!==null;break;case Number:n=t===null?null:Number(t);break;case Object:case Array:try{n=JSON.parse(t)}catch{n=null}}return n}},rn=(t,e)=>!_r(t,e),nn={attribute:!0,type:String,converter:kt,reflect:!1,useDefault:!1,hasChanged:rn};Symbol.metadata??=Symbol("metadata"),Ee.litPropertyMetadata??=new WeakMap;var I=class extends HTMLElement{static addInitializer(e){this._$Ei(),(this.l??=[]).push(e)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(e,n=nn){if(n.state&&(n.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(e)&&((n=Object.create(n)).wrapped=!0),this.elementProperties.set(e,n),!n.noAccessor){let r=Symbol(),i=this.getPropertyDescriptor(e,r,n);i!==void 0&&Tr(this.prototype,e,i)}}static getPropertyDescriptor(e,n,r){let{get:i,set:s}=Ar(this.prototype,e)??{get(){return this[n]},set(o){this[n]=o}};return{get:i,set(o){let u=i?.call(this);s?.call(this,o),this.requestUpdate(e,u,r)},configurable:!0,enumerable:!0}}static getPropertyOptions(e){return this.elementProperties.get(e)??nn}static _$Ei(){if(this.hasOwnProperty(he("elementProperties")))return;let e=Rr(this);e.finalize(),e.l!==void 0&&(this.l=[...e.l]),this.elementProperties=new Map(e.elementProperties)}static finalize(){if(this.hasOwnProperty(he("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(he("properties"))){let n=this.properties,r=[...Sr(n),...Er(n)];for(let i of r)this.createProperty(i,n[i])}let e=this[Symbol.metadata];if(e!==null){let n=litPropertyMetadata.get(e);if(n!==void 0)for(let[r,i]of n)this.elementProperties.set(r,i)}this._$Eh=new Map;for(let[n,r]of this.elementProperties){let i=this._$Eu(n,r);i!==void 0&&this._$Eh.set(i,n)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(e){let n=[];if(Array.isArray(e)){let r=new Set(e.flat(1/0).reverse());for(let i of r)n.unshift(wt(i))}else e!==void 0&&n.push(wt(e));return n}static _$Eu(e,n){let r=n.attribute;return r===!1?void 0:typeof r=="string"?r:typeof e=="string"?e.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(e=>this.enableUpdating=e),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(e=>e(this))}addController(e){(this._$EO??=new Set).add(e),this.renderRoot!==void 0&&this.isConnected&&e.hostConnected?.()}removeController(e){this._$EO?.delete(e)}_$E_(){let e=new Map,n=this.constructor.elementProperties;for(let r of n.keys())this.hasOwnProperty(r)&&(e.set(r,this[r]),delete this[r]);e.size>0&&(this._$Ep=e)}createRenderRoot(){let e=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return en(e,this.constructor.elementStyles),e}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(e=>e.hostConnected?.())}enableUpdating(e){}disconnectedCallback(){this._$EO?.forEach(e=>e.hostDisconnected?.())}attributeChangedCallback(e,n,r){this._$AK(e,r)}_$ET(e,n){let r=this.constructor.elementProperties.get(e),i=this.constructor._$Eu(e,r);if(i!==void 0&&r.reflect===!0){let s=(r.converter?.toAttribute!==void 0?r.converter:kt).toAttribute(n,r.type);this._$Em=e,s==null?this.removeAttribute(i):this.setAttribute(i,s),this._$Em=null}}_$AK(e,n){let r=this.constructor,i=r._$Eh.get(e);if(i!==void 0&&this._$Em!==i){let s=r.getPropertyOptions(i),o=typeof s.converter=="function"?{fromAttribute:s.converter}:s.converter?.fromAttribute!==void 0?s.converter:kt;this._$Em=i;let u=o.fromAttribute(n,s.type);this[i]=u??this._$Ej?.get(i)??u,this._$Em=null}}requestUpdate(e,n,r,i=!1,s){if(e!==void 0){let o=this.constructor;if(i===!1&&(s=this[e]),r??=o.getPropertyOptions(e),!((r.hasChanged??rn)(s,n)||r.useDefault&&r.reflect&&s===this._$Ej?.get(e)&&!this.hasAttribute(o._$Eu(e,r))))return;this.C(e,n,r)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(e,n,{useDefault:r,reflect:i,wrapped:s},o){r&&!(this._$Ej??=new Map).has(e)&&(this._$Ej.set(e,o??n??this[e]),s!==!0||o!==void 0)||(this._$AL.has(e)||(this.hasUpdated||r||(n=void 0),this._$AL.set(e,n)),i===!0&&this._$Em!==e&&(this._$Eq??=new Set).add(e))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(n){Promise.reject(n)}let e=this.scheduleUpdate();return e!=null&&await e,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[i,s]of this._$Ep)this[i]=s;this._$Ep=void 0}let r=this.constructor.elementProperties;if(r.size>0)for(let[i,s]of r){let{wrapped:o}=s,u=this[i];o!==!0||this._$AL.has(i)||u===void 0||this.C(i,void 0,s,u)}}let e=!1,n=this._$AL;try{e=this.shouldUpdate(n),e?(this.willUpdate(n),this._$EO?.forEach(r=>r.hostUpdate?.()),this.update(n)):this._$EM()}catch(r){throw e=!1,this._$EM(),r}e&&this._$AE(n)}willUpdate(e){}_$AE(e){this._$EO?.forEach(n=>n.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(e)),this.updated(e)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(e){return!0}update(e){this._$Eq&&=this._$Eq.forEach(n=>this._$ET(n,this[n])),this._$EM()}updated(e){}firstUpdated(e){}};I.elementStyles=[],I.shadowRootOptions={mode:"open"},I[he("elementProperties")]=new Map,I[he("finalized")]=new Map,Pr?.({ReactiveElement:I}),(Ee.reactiveElementVersions??=[]).push("2.1.2");var _t=globalThis,sn=t=>t,Re=_t.trustedTypes,on=Re?Re.createPolicy("lit-html",{createHTML:t=>t}):void 0,Tt="$lit$",O=`lit$${Math.random().toFixed(9).slice(2)}$`,At="?"+O,qr=`<${At}>`,B=document,fe=()=>B.createComment(""),ge=t=>t===null||typeof t!="object"&&typeof t!="function",St=Array.isArray,pn=t=>St(t)||typeof t?.[Symbol.iterator]=="function",xt=`[ 	
\f\r]`,me=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,an=/-->/g,dn=/>/g,F=RegExp(`>|${xt}(?:([^\\s"'>=/]+)(${xt}*=${xt}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),ln=/'/g,cn=/"/g,hn=/^(?:script|style|textarea|title)$/i,Et=t=>(e,...n)=>({_$litType$:t,strings:e,values:n}),a=Et(1),T=Et(2),hs=Et(3),P=Symbol.for("lit-noChange"),l=Symbol.for("lit-nothing"),un=new WeakMap,W=B.createTreeWalker(B,129);function mn(t,e){if(!St(t)||!t.hasOwnProperty("raw"))throw Error("invalid template strings array");return on!==void 0?on.createHTML(e):e}var fn=(t,e)=>{let n=t.length-1,r=[],i,s=e===2?"<svg>":e===3?"<math>":"",o=me;for(let u=0;u<n;u++){let c=t[u],h,g,f=-1,w=0;for(;w<c.length&&(o.lastIndex=w,g=o.exec(c),g!==null);)w=o.lastIndex,o===me?g[1]==="!--"?o=an:g[1]!==void 0?o=dn:g[2]!==void 0?(hn.test(g[2])&&(i=RegExp("</"+g[2],"g")),o=F):g[3]!==void 0&&(o=F):o===F?g[0]===">"?(o=i??me,f=-1):g[1]===void 0?f=-2:(f=o.lastIndex-g[2].length,h=g[1],o=g[3]===void 0?F:g[3]==='"'?cn:ln):o===cn||o===ln?o=F:o===an||o===dn?o=me:(o=F,i=void 0);let y=o===F&&t[u+1].startsWith("/>")?" ":"";s+=o===me?c+qr:f>=0?(r.push(h),c.slice(0,f)+Tt+c.slice(f)+O+y):c+O+(f===-2?u:y)}return[mn(t,s+(t[n]||"<?>")+(e===2?"</svg>":e===3?"</math>":"")),r]},be=class t{constructor({strings:e,_$litType$:n},r){let i;this.parts=[];let s=0,o=0,u=e.length-1,c=this.parts,[h,g]=fn(e,n);if(this.el=t.createElement(h,r),W.currentNode=this.el.content,n===2||n===3){let f=this.el.content.firstChild;f.replaceWith(...f.childNodes)}for(;(i=W.nextNode())!==null&&c.length<u;){if(i.nodeType===1){if(i.hasAttributes())for(let f of i.getAttributeNames())if(f.endsWith(Tt)){let w=g[o++],y=i.getAttribute(f).split(O),S=/([.?@])?(.*)/.exec(w);c.push({type:1,index:s,name:S[2],strings:y,ctor:S[1]==="."?Pe:S[1]==="?"?qe:S[1]==="@"?Me:Q}),i.removeAttribute(f)}else f.startsWith(O)&&(c.push({type:6,index:s}),i.removeAttribute(f));if(hn.test(i.tagName)){let f=i.textContent.split(O),w=f.length-1;if(w>0){i.textContent=Re?Re.emptyScript:"";for(let y=0;y<w;y++)i.append(f[y],fe()),W.nextNode(),c.push({type:2,index:++s});i.append(f[w],fe())}}}else if(i.nodeType===8)if(i.data===At)c.push({type:2,index:s});else{let f=-1;for(;(f=i.data.indexOf(O,f+1))!==-1;)c.push({type:7,index:s}),f+=O.length-1}s++}}static createElement(e,n){let r=B.createElement("template");return r.innerHTML=e,r}};function V(t,e,n=t,r){if(e===P)return e;let i=r!==void 0?n._$Co?.[r]:n._$Cl,s=ge(e)?void 0:e._$litDirective$;return i?.constructor!==s&&(i?._$AO?.(!1),s===void 0?i=void 0:(i=new s(t),i._$AT(t,n,r)),r!==void 0?(n._$Co??=[])[r]=i:n._$Cl=i),i!==void 0&&(e=V(t,i._$AS(t,e.values),i,r)),e}var Ce=class{constructor(e,n){this._$AV=[],this._$AN=void 0,this._$AD=e,this._$AM=n}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(e){let{el:{content:n},parts:r}=this._$AD,i=(e?.creationScope??B).importNode(n,!0);W.currentNode=i;let s=W.nextNode(),o=0,u=0,c=r[0];for(;c!==void 0;){if(o===c.index){let h;c.type===2?h=new ee(s,s.nextSibling,this,e):c.type===1?h=new c.ctor(s,c.name,c.strings,this,e):c.type===6&&(h=new Ie(s,this,e)),this._$AV.push(h),c=r[++u]}o!==c?.index&&(s=W.nextNode(),o++)}return W.currentNode=B,i}p(e){let n=0;for(let r of this._$AV)r!==void 0&&(r.strings!==void 0?(r._$AI(e,r,n),n+=r.strings.length-2):r._$AI(e[n])),n++}},ee=class t{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(e,n,r,i){this.type=2,this._$AH=l,this._$AN=void 0,this._$AA=e,this._$AB=n,this._$AM=r,this.options=i,this._$Cv=i?.isConnected??!0}get parentNode(){let e=this._$AA.parentNode,n=this._$AM;return n!==void 0&&e?.nodeType===11&&(e=n.parentNode),e}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(e,n=this){e=V(this,e,n),ge(e)?e===l||e==null||e===""?(this._$AH!==l&&this._$AR(),this._$AH=l):e!==this._$AH&&e!==P&&this._(e):e._$litType$!==void 0?this.$(e):e.nodeType!==void 0?this.T(e):pn(e)?this.k(e):this._(e)}O(e){return this._$AA.parentNode.insertBefore(e,this._$AB)}T(e){this._$AH!==e&&(this._$AR(),this._$AH=this.O(e))}_(e){this._$AH!==l&&ge(this._$AH)?this._$AA.nextSibling.data=e:this.T(B.createTextNode(e)),this._$AH=e}$(e){let{values:n,_$litType$:r}=e,i=typeof r=="number"?this._$AC(e):(r.el===void 0&&(r.el=be.createElement(mn(r.h,r.h[0]),this.options)),r);if(this._$AH?._$AD===i)this._$AH.p(n);else{let s=new Ce(i,this),o=s.u(this.options);s.p(n),this.T(o),this._$AH=s}}_$AC(e){let n=un.get(e.strings);return n===void 0&&un.set(e.strings,n=new be(e)),n}k(e){St(this._$AH)||(this._$AH=[],this._$AR());let n=this._$AH,r,i=0;for(let s of e)i===n.length?n.push(r=new t(this.O(fe()),this.O(fe()),this,this.options)):r=n[i],r._$AI(s),i++;i<n.length&&(this._$AR(r&&r._$AB.nextSibling,i),n.length=i)}_$AR(e=this._$AA.nextSibling,n){for(this._$AP?.(!1,!0,n);e!==this._$AB;){let r=sn(e).nextSibling;sn(e).remove(),e=r}}setConnected(e){this._$AM===void 0&&(this._$Cv=e,this._$AP?.(e))}},Q=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(e,n,r,i,s){this.type=1,this._$AH=l,this._$AN=void 0,this.element=e,this.name=n,this._$AM=i,this.options=s,r.length>2||r[0]!==""||r[1]!==""?(this._$AH=Array(r.length-1).fill(new String),this.strings=r):this._$AH=l}_$AI(e,n=this,r,i){let s=this.strings,o=!1;if(s===void 0)e=V(this,e,n,0),o=!ge(e)||e!==this._$AH&&e!==P,o&&(this._$AH=e);else{let u=e,c,h;for(e=s[0],c=0;c<s.length-1;c++)h=V(this,u[r+c],n,c),h===P&&(h=this._$AH[c]),o||=!ge(h)||h!==this._$AH[c],h===l?e=l:e!==l&&(e+=(h??"")+s[c+1]),this._$AH[c]=h}o&&!i&&this.j(e)}j(e){e===l?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,e??"")}},Pe=class extends Q{constructor(){super(...arguments),this.type=3}j(e){this.element[this.name]=e===l?void 0:e}},qe=class extends Q{constructor(){super(...arguments),this.type=4}j(e){this.element.toggleAttribute(this.name,!!e&&e!==l)}},Me=class extends Q{constructor(e,n,r,i,s){super(e,n,r,i,s),this.type=5}_$AI(e,n=this){if((e=V(this,e,n,0)??l)===P)return;let r=this._$AH,i=e===l&&r!==l||e.capture!==r.capture||e.once!==r.once||e.passive!==r.passive,s=e!==l&&(r===l||i);i&&this.element.removeEventListener(this.name,this,r),s&&this.element.addEventListener(this.name,this,e),this._$AH=e}handleEvent(e){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,e):this._$AH.handleEvent(e)}},Ie=class{constructor(e,n,r){this.element=e,this.type=6,this._$AN=void 0,this._$AM=n,this.options=r}get _$AU(){return this._$AM._$AU}_$AI(e){V(this,e)}},gn={M:Tt,P:O,A:At,C:1,L:fn,R:Ce,D:pn,V,I:ee,H:Q,N:qe,U:Me,B:Pe,F:Ie},Mr=_t.litHtmlPolyfillSupport;Mr?.(be,ee),(_t.litHtmlVersions??=[]).push("3.3.3");var bn=(t,e,n)=>{let r=n?.renderBefore??e,i=r._$litPart$;if(i===void 0){let s=n?.renderBefore??null;r._$litPart$=i=new ee(e.insertBefore(fe(),s),s,void 0,n??{})}return i._$AI(t),i};var Rt=globalThis,b=class extends I{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let e=super.createRenderRoot();return this.renderOptions.renderBefore??=e.firstChild,e}update(e){let n=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(e),this._$Do=bn(n,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return P}};b._$litElement$=!0,b.finalized=!0,Rt.litElementHydrateSupport?.({LitElement:b});var Ir=Rt.litElementPolyfillSupport;Ir?.({LitElement:b});(Rt.litElementVersions??=[]).push("4.2.2");var vn="0 w 2n y c 1 ip 1 14 2 6 4 7 1 1 1 k 1 b1 1 12 2 1e 2 3 1 1j 8 r 4 6 h m 1 5c 1 1c 2 1n 2 2t e 1n 2 1d 2 f 1 s 2 1 1 b 5 v 9 22 1 4h 1 8 2 2 2 m 1 7 1 1 3 4 2 9 2 2 2 4 8 1 4 2 1 5 2 p 2 3 1 6 4 2 2 m 1 7 1 2 1 2 1 2 2 1 1 5 4 2 2 3 3 1 7 4 1 1 7 h a 3 1 9 1 3 1 m 1 7 1 2 1 5 2 a 1 3 1 3 2 1 f 4 2 c 7 7 1 3 1 8 2 2 2 m 1 7 1 2 1 5 2 9 2 2 2 3 7 3 4 2 1 5 2 i a 2 1 6 3 3 1 4 3 2 1 1 1 2 3 2 3 3 3 c 4 5 3 3 1 4 2 1 6 1 e l 5 d 1 3 1 n 1 g 2 9 1 3 1 4 7 2 1 3 2 1 2 4 2 a 7 m 1 3 1 n 1 a 1 5 2 9 1 3 1 4 7 2 6 2 1 4 2 a 1 3 c d 1 3 1 1f 1 3 1 6 4 g 2 q 1 3 1 i 3 o 1 9 1 1 2 7 3 1 4 6 1 1 1 8 6 a 2 3 c 1m 4 t 11 2 1 1 1 5 1 o 1 1 1 n 2 5 1 1 1 7 1 a 2 4 w 20 1 10 4 13 1 10 1 f 1 d 11 5i 1 1 5 1 2 3z 2 6g 1 4 2 7 1 1 1 4 2 15 1 4 2 x 1 4 2 7 1 1 1 4 2 f 1 1l 1 4 2 1v 2 w 3 q 6 2e 2 6 2 hs 1 s 3 2h 7 m 9 o 9 k c d 1 3 1 2 c 1g 2 14 2 a 6 a 6 b 5 a 6 2h 7 17 5 1y a v 1 c 4 c 4 1 3 16 2 5 b 18 4 q 6 b 3 1q 2 1t 1 t 2 b 6 a 6 e 2 v 1d 25 3 1b 1 38 8 1o 3 f 3 1o 7 17 2 b 8 17 5 eu 2 6 2 12 2 6 2 8 1 1 1 1 1 1 1 v 2 1h 1 f 1 e 2 6 1 j 2 3 1 9 h o 8 1b h 2 2 r 1 d 3 x f x f 3w 4 if p b l ps 1 oj 2 w 1 9p 5 19 1 1 5 1 2 1k 7 2 e o 9 7 1 7 1 7 1 7 1 7 1 7 1 7 1 7 1 3i y q 1 2h c 5y q c 5 1q 2 2e 2 2v 5 17 1 1f 1 16 1 2c c 1b 1 mlp 3 1j 9 9o k 54 8 5n 5 2 1 1 1 5 o 1n 3 a 6 1k 8 1y 8 c 6 38 b u 3 26 1 b 4 x 1 1j 9 e 2 a 2 2v o s a 6 2 6 2 6 9 7 1 7 1 1o 4 3i 2 a 6 8mc c n 4 1d 6is a6 2 2y 12 7 c 5 5 q 1 5 1 1 1 2 1 2 1 3h g cd 2 1i 7 1 w g g a 6 1f 1 j 1 4 4 5 1 3r 4 4f 1 u 3 6 2 6 2 6 2 3 3 7 1 7 e 1 2 c 1 q 1 j 1 2 1 f 2 e y 3f 5 3 4 19 3 2g 1 d 3 1 1b 1a 3m t 3 1d f s 4 10 9 u 5 17 5 u 1 11 4 e 16 4e 2 a 6 10 4 10 4 14 8 1g b c 1 f 1 7 1 2 1 b 1 f 1 7 1 2 1v 8n 9 m a 8 o 6 1 16 1 9 1x 6 2 1 1 18 1 2 3 1 2 n 1 20 8 9 1c j 1 2 5 x 3 r 5 1 1s 1k 4 k 2 1e 1 2 5 8 1 3 1 t 2 3 4 a 7 9 7 1s w 13 4 c 9 1i 3 t 2 r 5 q 7 4 c 7 28 21 1j 1f d 1f 7 1a 8 a 86 v 1 16 1 3 2 2 23 17 8 16 m q 12 s k n 9 26 4 10 9 1q 1 5 d p 7 a 6 1h 1 i 8 13 9 2o 1 k b i 1 1b 1q 7 1 1 1 4 1 f 1 b 6 1n 5 a 6 4 1 8 2 2 2 m 1 7 1 2 1 5 1 a 2 2 2 3 2 1 6 1 5 7 2 7 3 5 3v 2k 1 5 u 20 8 a 4m 1i 2 12 y 1x b a 6 d j 1m 6 a 1i r 2 f 4 n 55 1o 2s 2b c 8 2 1 2 8 1 2 1 u 1 2 2 c 9 a 1y 8 2 1a 2 b r 20 8 2b d 21 7 a 6u 9 1 19 1 e a t 3 w 2 m 1 e 21 7 1 2 1 18 3 1 1 2 1 9 8 a 6 6 1 2 1 11 1 2 1 6 7 a 8m p 7 h 1 15 3 s 2e 1 f 1e d pn 2u 33 1 5 b 5g 218 2r d ts g 1 2 j 33e g7 6nt ft 7 v 1 a 4 29 1 a 6 u 2 6 a 1y a a 1 7 1 l 5 j j4 2j 2t 23 4 1l 7 h 1s 4 c 2 e 4qg 8 ye 16 9 6w7 4 1 7 1 2 1 83 f 1 t 3 2 1 e 4 8 b0 1s4 2z 5 d 3 9 7 a 2 4 3mo 1a 2 n 9 38 1o 6u a 13 2 1c 1 p 8 34 l 1y 3e k c k c 2f 9 p 3r 2d 1 1z 1 2 2 1 2 2 2 4 1 c 1 1 1 7 1 1t 1 4 2 8 1 7 1 s 1 4 1 5 1 1 3 7 1 9g 2 84 2 ji f 5 1 f uo v 6 6 5x 7 1 h 2 7 1 2 1 5 5 1q x 1 34 19 3 e 2 a 4 2 8w v h 1m 5 1 cw 16 km 7 1 4 1 2 1 f 1 5h 2 g 15 24 4 a 4 2 lt 1w 24 1p 5e 4 1 r 1 2 1 1 2 1 1 a 1 4 1 1 1 1 6 1 4 1 1 1 1 1 1 3 1 2 1 1 2 1 1 1 1 1 1 1 1 1 1 2 1 1 2 4 1 7 1 4 1 4 1 1 1 a 1 h 5 3 1 5 1 h 1g 2 7i 18 4 2s c f 2 f 1 f 1 11 a 4u 1k t d 18 4 9 7 2 e 6 4a rc 4 h 3 d 3 3b 4 2n 6 c 4 1 f c 4 1k 8 a 6 14 8 u 2 2 26 9g c e 2 d 3 9 7 1a 1 7 8 e 4 9 7 9 7 43 1 1j 11 a sm wyo w 37e 6 66 2 4g2 e 5rl 2e7 f2 15u 3t7 5 38g jgwg";var Oe;function Ue(t){if(!Oe){let r=0;Oe=vn.split(" ").map(i=>r+=parseInt(i,36))}let[e,n]=[0,Oe.length];for(;e<n;){let r=e+n>>1;Oe[r]<=t?e=r+1:n=r}return e%2===1}function Or(t){return Ue(t)&&!/[\p{Zs}\u200c\u200d\ufe0e\ufe0f]/u.test(String.fromCodePoint(t))}var te=/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;function Ct(t){return te.test(t)?"rtl":"ltr"}function Pt(t,e){if(/^[ -~]*$/.test(t))return t;let n="";for(let r of t)n+=e(r.codePointAt(0))?$n(r):r;return n}function $n(t){return Array.from({length:t.length},(e,n)=>"\\u"+t.charCodeAt(n).toString(16).padStart(4,"0")).join("")}function p(t){return Ur(Pt(t,Ue))}function Ne(t){let e=p(t);return te.test(e)?`⁨${e}⁩`:e}var wn=t=>t!==9&&t!==10;function Y(t){return Pt(t,e=>wn(e)&&Ue(e))}var Lr=/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;function L(t){return Pt(t.replace(Lr,""),e=>wn(e)&&Or(e))}function Ur(t){return te.test(t)?t.split(`
`).map(e=>Nr(e)?e:Array.from(e,n=>te.test(n)?$n(n):n).join("")).join(`
`):t}function Nr(t){let e=0,n=!1;for(let{kind:r,text:i}of qt(t)){let s=/\p{L}/u.test(i);if(r==="phrase")e++;else{if(/\p{N}/u.test(i)||s&&e>0&&!n)return!1;s&&(n=!0)}}return e<=1}var Le=te.source,yn=`(?:(?!\\p{N})${Le}|\\p{M})`,jr=new RegExp(`(?<number>(?:(?=\\p{N})${Le})+)|(?<phrase>(?=${Le})${yn}+(?:[,.;:!?]? (?=${Le})${yn}+)*)`,"gu");function qt(t){let e=[],n=0,r=i=>{i>n&&e.push({text:t.slice(n,i)})};for(let i of t.matchAll(jr))r(i.index),e.push({kind:i.groups.number===void 0?"phrase":"number",text:i[0]}),n=i.index+i[0].length;return r(t.length),e}function kn(t){return t.replace(/\\(?:u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|u([0-9a-f]{4})|[^])/giu,(e,n,r,i)=>{let s=i===void 0?[n,r]:[i];if(s[0]===void 0)return e;let o=String.fromCharCode(...s.map(u=>parseInt(u,16)));return te.test(o)&&!Ue(o.codePointAt(0))?o:e})}function K(t){try{return JSON.parse(t)}catch{return}}function m(t){return typeof t=="object"&&t!==null&&!Array.isArray(t)?t:void 0}function $(t){return Array.isArray(t)?t:[]}function d(t){return typeof t=="string"?t:void 0}function je(t){if(K(t)===void 0)return Y(t);let e="",n=0,r=()=>`
`+"  ".repeat(n);for(let i of t.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)??[])switch(i){case"{":case"[":n++,e+=i+r();break;case"}":case"]":n--,e=/[{[]\s*$/.test(e)?e.trimEnd()+i:e+r()+i;break;case",":e+=i+r();break;case":":e+=": ";break;default:e+=Y(i)}return e}var Mt=class{#e="";#t=[];#n=!1;push(e){!this.#n&&e!==""&&(this.#n=!0,e=e.replace(/^\ufeff/,""));let n=this.#e+e,r=[],i=/\r\n|\n|\r(?!$)/g,s=0;for(let o=i.exec(n);o;o=i.exec(n))this.#r(n.slice(s,o.index),r),s=i.lastIndex;return this.#e=n.slice(s),r}#r(e,n){e===""?(this.#t.length>0&&n.push(this.#t.join(`
`)),this.#t=[]):(e==="data"||e.startsWith("data:"))&&this.#t.push(e.slice(5).replace(/^ /,""))}};async function*xn(t){let e=new Mt,n=new TextDecoder,r=t.getReader();try{for(;;){let{done:i,value:s}=await r.read();if(i)return;yield e.push(n.decode(s,{stream:!0}))}}finally{r.cancel().catch(()=>{})}}var ve=class extends Error{constructor(n,r){super(r||"Something went wrong at the server. Try again.");this.status=n}status},zr="The server could not be reached. Check your connection and try again.";async function k(t,e={}){return K(await(await _n(t,e)).text())}async function _n(t,e){let n;try{n=await fetch(t,{cache:"no-store",credentials:"same-origin",...e})}catch(s){throw e.signal?.aborted?s:new ve(0,zr)}if(n.ok)return n;n.status===401&&Dr();let r=m(K(await n.text().catch(()=>""))),i=$(r?.errors).flatMap(s=>d(m(s)?.message)??[]);throw new ve(n.status,[d(r?.detail)??d(r?.error)??[],i].flat().join(" "))}function Dr(){location.assign(`/login?next=${encodeURIComponent(location.pathname)}`)}var Hr=429,Tn=1e4;async function An(t,e,n){let r=JSON.stringify({elicitationId:t,action:e,...n&&{content:n}});for(let i=1e3;;i=Math.min(2*i,Tn))try{await k(`/answer/${encodeURIComponent(t)}`,{method:"POST",body:r,headers:{"content-type":"application/json"}});return}catch(s){if(!(s instanceof ve)||s.status!==Hr)throw s;await En(i)}}async function Sn(t,e,n){for(let r=500;!n.aborted;r=Math.min(2*r,Tn)){try{let i=await _n(`/api/elicitations/events?user=${encodeURIComponent(t)}`,{signal:n});for await(let s of xn(i.body)){r=500,e.connected(!0);for(let o of s)Jr(e,m(K(o)))}}catch{}if(n.aborted)return;e.connected(!1),await En(r)}}function Jr(t,e){e?.id===void 0?t.reload():t.item(e)}var En=t=>new Promise(e=>setTimeout(e,t));var x=E`
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
`,_=E`
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
`;var Fr={questions:"Questions",history:"History",connections:"Connections",permissions:"Permissions",administration:"Administration"},ze=class extends b{static styles=[x,_,E`
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
    `];static properties={user:{},admin:{type:Boolean},_count:{state:!0},_part:{state:!0}};#e=0;constructor(){super(),this.user=this._count="",this.admin=!1,this._part="questions"}connectedCallback(){super.connectedCallback(),window.addEventListener("hashchange",this.#n),document.addEventListener("visibilitychange",this.#t),this.#e=window.setInterval(this.#t,15e3),this.#n(),this.#t()}disconnectedCallback(){super.disconnectedCallback(),window.removeEventListener("hashchange",this.#n),document.removeEventListener("visibilitychange",this.#t),window.clearInterval(this.#e)}#t=()=>{document.visibilityState!=="visible"||this._part!=="questions"||k("/api/me/looking",{method:"POST",body:"{}",headers:{"content-type":"application/json"}}).catch(()=>{})};#n=()=>{let e=location.hash.slice(1).split("/")[0];this._part=this.#r().some(([n])=>n===e)?e:"questions"};#r=()=>Object.entries(Fr).filter(([e])=>e!=="administration"||this.admin);render(){return a`<nav aria-label="Inbox">
        ${this.#r().map(([e,n])=>a`<a href="#${e}" aria-current=${e===this._part?"page":"false"}>${n}
            ${e==="questions"&&this._count?a`<span class="count">${this._count}</span>`:""}</a>`)}
      </nav>
      <parley-inbox-questions .user=${this.user} ?hidden=${this._part!=="questions"} @inbox-count=${this.#s}></parley-inbox-questions>
      ${this.#i()}`}#i(){switch(this._part){case"history":return a`<parley-inbox-history .user=${this.user}></parley-inbox-history>`;case"connections":return a`<parley-inbox-connections .user=${this.user}></parley-inbox-connections>`;case"permissions":return a`<parley-inbox-permissions .user=${this.user}></parley-inbox-permissions>`;case"administration":return a`<parley-inbox-admin></parley-inbox-admin>`;default:return a``}}#s=e=>{this._count=e.detail,document.title=(e.detail?`(${e.detail}) `:"")+document.title.replace(/^\(\d+\+?\) /,"");let n=document.querySelector(".places .count");n&&(n.textContent=e.detail||"0")}};var q=E`
  form.filter {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 1rem;
    align-items: end;
    margin-block-end: 1rem;
  }
  form.filter label,
  .field {
    display: grid;
    gap: 0.2rem;
    flex: 1 1 11rem;
    max-inline-size: 22rem;
    font-size: 0.85rem;
    color: var(--_muted);
  }
  form.filter label.long {
    flex: 1 1 100%;
    max-inline-size: 46rem;
  }
  form.filter :is(input, select),
  .field :is(input, select, textarea) {
    color: var(--_text);
    font-size: 0.9375rem;
  }
  h3 {
    margin-block: 1.5rem 0.6rem;
    font-size: 1rem;
  }
  details > summary {
    padding-block: 0.4rem;
    cursor: pointer;
    color: var(--_accent);
  }
  .checks {
    display: grid;
    gap: 0.5rem;
    margin: 0.4rem 0;
    padding: 0;
    list-style: none;
  }
  .checks li {
    display: grid;
    grid-template-columns: 1.6rem minmax(0, 1fr);
  }
  .mark {
    font-weight: 700;
  }
  .notice {
    margin-block-end: 0.75rem;
  }
  .wide {
    flex: 1 1 100%;
    min-inline-size: 0;
  }
  .side {
    text-align: end;
  }
  @media (max-width: 30rem) {
    .side {
      text-align: start;
    }
  }
  code {
    padding: 0.05em 0.35em;
    border-radius: 0.3em;
    background: var(--_sunken);
  }
  .words {
    white-space: pre-wrap;
  }
  .scrolls {
    overflow-x: auto;
  }
  .scrolls > table {
    min-inline-size: 38rem;
    overflow-wrap: break-word; /* what is too wide scrolls */
  }
  .things + .meta,
  h3 + .meta {
    margin-block: 0.4rem 0.8rem;
  }
  table {
    inline-size: 100%;
    border-collapse: collapse;
    font-size: 0.875rem;
  }
  th,
  td {
    padding: 0.45rem 0.6rem;
    border-block-end: 1px solid var(--_hair);
    text-align: start;
    vertical-align: top;
  }
`;var A=E`
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
`,De=E`
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
`;function He(t){return t?.context.serviceTitle?.trim()||t?.context.service?.trim()||""}function Je(t){let e=m(t),n=d(e?.elicitationId),r=e?.mode;if(!(!e||!n||r!=="form"&&r!=="url"))return{elicitationId:n,mode:r,message:d(e.message)??"",url:d(e.url),requestedSchema:e.requestedSchema,fieldOrder:e.fieldOrder===void 0?void 0:$(e.fieldOrder).flatMap(i=>d(i)??[]),expiresAt:d(e.expiresAt),context:Br(m(e.context)??{}),approvers:Wr(e.approvers),outcome:Vr(e.outcome)}}function Wr(t){let e=m(t),n=e?.need;if(!e||typeof n!="number")return;let r=$(e.people).flatMap(i=>{let s=m(i),o=d(s?.name);if(!s||!o)return[];let u=d(s.decision);return[{name:o,decision:u,late:u===void 0&&d(s.at)!==void 0}]});return{need:n,people:r}}function Br(t){let e=t.arguments;return{trigger:d(t.trigger),service:d(t.service),serviceTitle:d(t.serviceTitle),account:d(t.account),tool:d(t.tool),toolCallId:d(t.toolCallId),parentToolCallId:d(t.parentToolCallId),arguments:typeof e=="string"||e===void 0?e:JSON.stringify(e),server:d(t.server),domain:d(t.domain),settledBy:d(t.settledBy)}}function Vr(t){let e=m(t);if(!e)return;let n=Object.entries(m(e.limits)??{}).flatMap(([o,u])=>typeof u=="string"?[[o,u]]:[]),r={via:d(e.via),reason:d(e.reason),at:d(e.at),decision:d(e.decision),limits:n.length>0?Object.fromEntries(n):void 0},i=e.action;return i==="accept"||i==="decline"||i==="cancel"||i==="expire"?{action:i,by:d(e.by),...r}:{action:"cancel",...r}}function ne(t,e){let n=m(t)??{};return{items:$(n.items).flatMap(r=>Fe(r,e)??[]),next:d(n.next_cursor)}}function Fe(t,e){let n=m(t),r=d(n?.id);if(!n||!r)return;let i=m(n.labels)??{},s=h=>d(i[h]),o=s("brief"),u=o===void 0?Rn(n,i,e):Qr(n,i,o,`${e}/answer/${r}`),c=Je(u);if(c)return{id:r,pending:n.state==="pending",createdAt:d(n.created_at)??"",asker:s("asker")===d(n.to)?void 0:s("asker"),conversation:d(n.session),others:c.context.trigger==="approvers",long:o!==void 0,request:u,question:c}}function Rn(t,e,n){let r=d(t.url)?.startsWith(`${n}/`);return{elicitationId:t.id,mode:t.mode,message:t.message,url:t.url,requestedSchema:t.requested_schema,expiresAt:t.expires_at,context:{trigger:t.trigger,service:t.from,serviceTitle:e.title,account:t.to,server:e.server,tool:e.tool,settledBy:r?"page":e.settled_by},outcome:Yr(t.outcome)}}function Qr(t,e,n,r){return{...Rn({...t,url:r},e,new URL(r).origin),mode:"url",message:n,requestedSchema:void 0}}function Yr(t){let e=m(t);return e&&{...e,decision:e.decision??m(e.content)?.decision}}var U={ATTRIBUTE:1,CHILD:2,PROPERTY:3,BOOLEAN_ATTRIBUTE:4,EVENT:5,ELEMENT:6},re=t=>(...e)=>({_$litDirective$:t,values:e}),j=class{constructor(e){}get _$AU(){return this._$AM._$AU}_$AT(e,n,r){this._$Ct=e,this._$AM=n,this._$Ci=r}_$AS(e,n){return this.update(e,n)}update(e,n){return this.render(...n)}};var{I:Kr}=gn,Cn=t=>t;var qn=t=>t.strings===void 0,Pn=()=>document.createComment(""),ie=(t,e,n)=>{let r=t._$AA.parentNode,i=e===void 0?t._$AB:e._$AA;if(n===void 0){let s=r.insertBefore(Pn(),i),o=r.insertBefore(Pn(),i);n=new Kr(s,o,t,t.options)}else{let s=n._$AB.nextSibling,o=n._$AM,u=o!==t;if(u){let c;n._$AQ?.(t),n._$AM=t,n._$AP!==void 0&&(c=t._$AU)!==o._$AU&&n._$AP(c)}if(s!==i||u){let c=n._$AA;for(;c!==s;){let h=Cn(c).nextSibling;Cn(r).insertBefore(c,i),c=h}}}return n},z=(t,e,n=t)=>(t._$AI(e,n),t),Gr={},se=(t,e=Gr)=>t._$AH=e,Mn=t=>t._$AH,We=t=>{t._$AR(),t._$AA.remove()};var G=re(class extends j{constructor(t){if(super(t),t.type!==U.PROPERTY&&t.type!==U.ATTRIBUTE&&t.type!==U.BOOLEAN_ATTRIBUTE)throw Error("The `live` directive is not allowed on child or event bindings");if(!qn(t))throw Error("`live` bindings can only contain a single expression")}render(t){return t}update(t,[e]){if(e===P||e===l)return e;let n=t.element,r=t.name;if(t.type===U.PROPERTY){if(e===n[r])return P}else if(t.type===U.BOOLEAN_ATTRIBUTE){if(!!e===n.hasAttribute(r))return P}else if(t.type===U.ATTRIBUTE&&n.getAttribute(r)===e+"")return P;return se(t),e}});function oe(t,e=[]){let n=m(t);if(!n)return;let r=new Set($(n.required)),i=[],s=u=>e.includes(u)?e.indexOf(u):e.length,o=Object.entries(m(n.properties)??{}).sort(([u],[c])=>s(u)-s(c));for(let[u,c]of o){let h=m(c),g=h&&Zr(h);if(!h||!g)return;i.push(Xr(u,g,h,r.has(u)))}return i}function Zr(t){switch(t.type){case"string":case"number":case"integer":return Be(t).length>0?"choice":t.type;case"boolean":return"boolean";case"array":return Be(m(t.items)??{}).length>0?"choices":void 0}}function Xr(t,e,n,r){return{name:t,kind:e,required:r,nullable:n.nullable===!0,label:L(d(n.title)||t),description:L(d(n.description)??"")||void 0,format:ei(n.format),minLength:ye(n.minLength),maxLength:ye(n.maxLength),pattern:d(n.pattern),minimum:In(n.minimum),maximum:In(n.maximum),options:Be(e==="choices"?m(n.items)??{}:n),minItems:ye(n.minItems),maxItems:ye(n.maxItems),default:n.default}}function ei(t){return t==="email"||t==="uri"||t==="date"||t==="date-time"?t:void 0}function ye(t){return typeof t=="number"?t:void 0}function In(t){let e=ye(t);return e!==void 0&&Math.abs(e)===Number.MAX_SAFE_INTEGER?void 0:e}function On(t){return typeof t=="number"?String(t):d(t)}function Be(t){let e=$(t.oneOf??t.anyOf);if(e.length>0)return e.flatMap(r=>{let i=On(m(r)?.const);return i===void 0?[]:[{value:i,label:L(d(m(r)?.title)||i)}]});let n=$(t.enumNames);return $(t.enum).flatMap((r,i)=>{let s=On(r);return s===void 0?[]:[{value:s,label:L(d(n[i])||s)}]})}function $e(t){return t.kind==="boolean"&&(t.required||t.nullable)&&t.default===void 0}function Ln(t){return Object.fromEntries(t.map(e=>[e.name,ti(e)]))}function ti(t){let e=t.default;switch(t.kind){case"boolean":return typeof e=="boolean"?e:$e(t)?void 0:!1;case"choices":return Array.isArray(e)?t.options.map(n=>n.value).filter(n=>e.includes(n)):[];case"choice":return t.options.find(n=>n.value===String(e))?.value;case"number":case"integer":return typeof e=="number"?String(e):""}return typeof e!="string"?"":t.format==="date-time"?pi(e):e}function Ve(t,e,n){let r={content:Object.create(null),errors:Object.create(null)};for(let i of t){let{value:s,error:o}=ni(i,e[i.name],n);o!==void 0?r.errors[i.name]=o:s!==void 0&&(r.content[i.name]=s)}return r}function Qe(t){let e=t.replace(/\s+/g," ").replace(/[:* ]+$/,"");return/[?!.,;]$|^$/.test(e)?`“${e}”`:e}function ni(t,e,n){let r={error:n("errorRequired",{label:Qe(t.label)})},i=t.nullable?{value:null}:r;switch(t.kind){case"boolean":return e===void 0?t.required?r:{}:{value:e};case"choices":return ri(t,e??[],n);case"choice":return e!==void 0?{value:e}:t.default!==void 0?i:t.required?r:{}}let s=typeof e=="string"?e:"",o=t.kind==="string"&&t.format===void 0;return(o&&!t.required?s==="":s.trim()==="")?t.required?r:t.default===void 0?{}:t.kind==="string"&&!t.nullable?{value:""}:i:t.kind==="string"?ii(t,o?s:s.trim(),n):di(t,s.trim(),n)}function ri(t,e,n){let{minItems:r,maxItems:i}=t,s=Qe(t.label);return e.length===0&&!t.required&&t.default===void 0?{}:r!==void 0&&e.length<r?{error:n("errorMinItems",{label:s,n:r})}:i!==void 0&&e.length>i?{error:n("errorMaxItems",{label:s,n:i})}:{value:e}}function ii(t,e,n){let{minLength:r,maxLength:i}=t,s=Qe(t.label),o=[...e].length;if(r!==void 0&&o<r)return{error:n("errorMinLength",{label:s,n:r})};if(i!==void 0&&o>i)return{error:n("errorMaxLength",{label:s,n:i})};if(t.pattern!==void 0&&!si(t.pattern,e))return{error:n("errorPattern",{label:s})};switch(t.format){case"email":return/^[^\s@]+@[^\s@]*[^\s@.]$/.test(e)?{value:e}:{error:n("errorEmail",{label:s})};case"uri":return oi(e)?{value:e}:{error:n("errorUri",{label:s})};case"date":return ai(e)?{value:e}:{error:n("errorDate",{label:s})};case"date-time":{let u=ui(e);return u?{value:u}:{error:n("errorDateTime",{label:s})}}}return{value:e}}function si(t,e){try{return new RegExp(t,"u").test(e)}catch{return!0}}function oi(t){return/^[a-z][a-z0-9+.-]*:[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/i.test(t)&&URL.canParse(t)}function ai(t){let e=new Date(`${t}T00:00:00Z`);return/^\d{4}-\d\d-\d\d$/.test(t)&&!Number.isNaN(e.valueOf())&&e.toISOString().startsWith(t)}function di(t,e,n){let{minimum:r,maximum:i}=t,s=Qe(t.label),o=li(e);return o===void 0?{error:n(t.kind==="integer"?"errorInteger":"errorNumber",{label:s})}:t.kind==="integer"&&!Number.isInteger(o)?{error:n("errorInteger",{label:s})}:ci(e)?r!==void 0&&o<r?{error:n("errorMinimum",{label:s,n:r})}:i!==void 0&&o>i?{error:n("errorMaximum",{label:s,n:i})}:{value:o}:{error:n("errorDigits",{label:s})}}function li(t){let e=t.replace(/^\u2212/,"-");if(!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(e))return;let n=Number(e);return Number.isFinite(n)?n:void 0}function ci(t){return t.replace(/e.*$/i,"").replace(/\D/g,"").replace(/^0+/,"").replace(/0+$/,"").length<=15||Number.isSafeInteger(Number(t))&&/^[-+]?\d+$/.test(t)}function ui(t){let e=/^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d(?:\.\d+)?)?$/.exec(t),n=new Date(t);if(!(!e||Number.isNaN(n.valueOf())))return`${e[1]}${e[2]??":00"}${It(n)||"Z"}`}function pi(t){let e=new Date(t);return Number.isNaN(e.valueOf())?"":new Date(e.valueOf()-e.getTimezoneOffset()*6e4).toISOString().slice(0,e.getUTCSeconds()||e.getUTCMilliseconds()?19:16)}function It(t){let e=-t.getTimezoneOffset();if(e===0)return"";let n=r=>String(Math.floor(r)).padStart(2,"0");return`${e<0?"-":"+"}${n(Math.abs(e)/60)}:${n(Math.abs(e)%60)}`}var Nn=7;function Ye(t){let{field:e}=t;return e.kind==="boolean"&&!$e(e)?yi(t):e.kind==="boolean"?Un(t,[{value:"true",label:t.say("yes")},{value:"false",label:t.say("no")}]):e.kind==="choices"?vi(t):e.kind==="choice"&&e.options.length<=Nn?Un(t,e.options):a`<div class=${Ke(t)}>
    <label for=${t.id} dir="auto">${e.label}${Lt(t)}</label>
    ${Ge(t)} ${e.kind==="choice"?bi(t):mi(t)}
  </div>`}function jn(t){let{id:e,field:n}=t;return n.kind==="choices"||$e(n)||n.kind==="choice"&&n.options.length<=Nn?`${e}-0`:e}var Ke=t=>t.error===void 0?"field":"field wrong",Lt=t=>we(t.field)?a` <span class="required">${t.say("required")}</span>`:l;function we(t){return t.required&&(t.kind!=="choices"||(t.minItems??0)>0)}function Ge(t){let{id:e,field:n,error:r,say:i}=t,s=zn(n,i);return a`
    ${n.description?a`<p class="hint" id="${e}-about" dir="auto">${n.description}</p>`:l}
    ${s?a`<p class="hint" id="${e}-hint">${s}</p>`:l}
    ${r===void 0?l:a`<p class="error" id="${e}-error"><span class="hidden">${i("error")} </span>${r}</p>`}
  `}function ae(t){let e=[];return t.field.description&&e.push(`${t.id}-about`),zn(t.field,t.say)&&e.push(`${t.id}-hint`),t.error!==void 0&&e.push(`${t.id}-error`),e.length>0?e.join(" "):l}function zn(t,e){switch(t.kind){case"number":case"integer":return Ot(t.minimum,t.maximum,e);case"choices":{let n=Ot(t.minItems||void 0,t.maxItems,e);return n&&e("hintChoices",{range:hi(n)})}case"string":{if(t.format==="date-time")return e("localTime",{offset:It(new Date)});let n=Ot(t.minLength!==void 0&&t.minLength>1?t.minLength:void 0,t.maxLength,e);return n&&e("hintLength",{range:n})}}return""}function Ot(t,e,n){return t!==void 0&&t===e?n("exactly",{low:t}):t!==void 0&&e!==void 0?n("from",{low:t,high:e}):t!==void 0?n("atLeast",{low:t}):e===void 0?"":n("atMost",{high:e})}var hi=t=>t.charAt(0).toLowerCase()+t.slice(1);function mi(t){let{id:e,field:n,entry:r,enter:i}=t,s=typeof r=="string"?r:"",o=h=>i(h.target.value);if(n.kind==="string"&&n.format===void 0&&gi(n))return a`<textarea id=${e} rows="4" dir="auto" .value=${G(s)} @input=${o}
      aria-describedby=${ae(t)} aria-required=${we(n)} aria-invalid=${t.error!==void 0}></textarea>`;let{type:u,mode:c}=fi(n);return a`<input id=${e} type=${u} inputmode=${c??l} autocomplete="off" dir="auto"
    spellcheck=${c?"false":l} autocapitalize=${c?"off":l} step=${u==="datetime-local"?"any":l}
    .value=${G(s)} @input=${o}
    aria-describedby=${ae(t)} aria-required=${we(n)} aria-invalid=${t.error!==void 0} />`}function fi(t){if(t.kind==="integer")return{type:"text",mode:(t.minimum??-1)<0?"text":"numeric"};if(t.kind==="number")return{type:"text",mode:(t.minimum??-1)<0?"text":"decimal"};switch(t.format){case"date":return{type:"date"};case"date-time":return{type:"datetime-local"};case"email":return{type:"text",mode:"email"};case"uri":return{type:"text",mode:"url"}}return{type:"text"}}function gi(t){let e=typeof t.default=="string"?t.default:"";return(t.maxLength??0)>200||(t.minLength??0)>100||e.length>200||e.includes(`
`)}function bi(t){let{id:e,field:n,entry:r,say:i,enter:s}=t;return a`<select id=${e} @change=${u=>{let c=u.target.selectedIndex-1;s(n.options[c]?.value)}} aria-describedby=${ae(t)}
    aria-required=${we(n)} aria-invalid=${t.error!==void 0}>
    <option value="" .selected=${r===void 0}>${i("choose")}</option>
    ${n.options.map(u=>a`<option .selected=${u.value===r}>${Ut(u,i)}</option>`)}
  </select>`}var Ut=(t,e)=>t.label.trim()===""?e("emptyOption"):t.label;function Un(t,e){let{id:n,field:r,entry:i,say:s,enter:o}=t,u=h=>r.kind==="boolean"?h==="true":h,c=!r.required&&r.default===void 0&&!t.sure;return a`<div class=${Ke(t)} role="radiogroup" aria-labelledby="${n}-label" aria-required=${we(r)}
    aria-invalid=${t.error!==void 0} aria-describedby=${ae(t)}>
    <div class="legend" id="${n}-label" dir="auto">${r.label}${Lt(t)}</div>
    ${Ge(t)}
    ${e.map((h,g)=>a`<label class="option">
        <input type="radio" id="${n}-${g}" name=${n} .checked=${G(i===u(h.value))} @change=${()=>o(u(h.value))} />
        <span dir="auto">${Ut(h,s)}</span>
      </label>`)}
    ${c?a`<label class="option">
          <input type="radio" name=${n} .checked=${G(i===void 0)} @change=${()=>o(void 0)} />
          <span>${s("noAnswer")}</span>
        </label>`:l}
  </div>`}function vi(t){let{id:e,field:n,say:r,enter:i}=t,s=Array.isArray(t.entry)?t.entry:[],o=(u,c)=>i(n.options.map(h=>h.value).filter(h=>h===u?c:s.includes(h)));return a`<div class=${Ke(t)} role="group" aria-labelledby="${e}-label" aria-describedby=${ae(t)}>
    <div class="legend" id="${e}-label" dir="auto">${n.label}${Lt(t)}</div>
    ${Ge(t)}
    ${n.options.map((u,c)=>a`<label class="option">
        <input type="checkbox" id="${e}-${c}" .checked=${G(s.includes(u.value))} aria-invalid=${t.error!==void 0}
          @change=${h=>o(u.value,h.target.checked)} />
        <span dir="auto">${Ut(u,r)}</span>
      </label>`)}
  </div>`}function yi(t){let{id:e,field:n,entry:r,enter:i}=t;return a`<div class=${Ke(t)}>
    <label class="option">
      <input type="checkbox" id=${e} .checked=${G(r===!0)} aria-describedby=${ae(t)} aria-invalid=${t.error!==void 0}
        @change=${s=>i(s.target.checked)} />
      <span class="strong" dir="auto">${n.label}</span>
    </label>
    ${Ge(t)}
  </div>`}var C=t=>T`<svg viewBox="0 0 24 24" aria-hidden="true">${t}</svg>`,R={connect:C(T`<path d="M10 14a4.5 4.5 0 0 0 6.4 0l3.2-3.2a4.5 4.5 0 0 0-6.4-6.4L11.7 6M14 10a4.5 4.5 0 0 0-6.4 0l-3.2 3.2a4.5 4.5 0 0 0 6.4 6.4L12.3 18"/>`),approval:C(T`<path d="M12 3 5 5.6v5.6c0 4.3 2.9 8.1 7 9.8 4.1-1.7 7-5.5 7-9.8V5.6L12 3Z"/><path d="M12 8.5v4M12 15.8v.1"/>`),form:C(T`<path d="M20 11.5a7.5 7.5 0 0 1-7.5 7.5H5l1.7-2.6A7.5 7.5 0 1 1 20 11.5Z"/><path d="M10.4 9.6a2.2 2.2 0 1 1 3.1 2c-.6.3-1 .7-1 1.4M12.5 15.4v.1"/>`),clock:C(T`<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>`),done:C(T`<path d="m5 12.5 4.5 4.5L19 7.5"/>`),no:C(T`<path d="M7 7l10 10M17 7 7 17"/>`),tool:C(T`<path d="M14.5 6.5a4 4 0 0 1 5-1.2l-2.7 2.7 1.4 2 2.6-2.2a4 4 0 0 1-5.6 4.6L8 19.6A2.1 2.1 0 0 1 5 16.6l7-7.3a4 4 0 0 1 2.5-2.8Z"/>`),send:C(T`<path d="M12 19V5.5M6 11l6-6 6 6"/>`),stop:C(T`<rect x="7.5" y="7.5" width="9" height="9" rx="1.5" fill="currentColor"/>`),plus:C(T`<path d="M12 5v14M5 12h14"/>`),down:C(T`<path d="M12 5v13.5M6 13l6 6 6-6"/>`),warning:C(T`<path d="M12 4 2.8 19.5h18.4L12 4Z"/><path d="M12 10v4.2M12 16.8v.1"/>`),copy:C(T`<rect x="9" y="9" width="11" height="11" rx="2"/><path d="M5.5 15H5a1.5 1.5 0 0 1-1.5-1.5V5A1.5 1.5 0 0 1 5 3.5h8.5A1.5 1.5 0 0 1 15 5v.5"/>`),again:C(T`<path d="M19.5 12a7.5 7.5 0 1 1-2.2-5.3M19.5 3.5v4h-4"/>`),chevron:C(T`<path d="m9 6 6 6-6 6"/>`)};function Nt(t){return qt(t).map(e=>e.kind===void 0?e.text:a`<bdi dir=${e.kind==="phrase"?"rtl":"ltr"}>${e.text}</bdi>`)}function Hn(t,e){let{question:n,service:r,say:i}=t;return a`<div class="card open" part="card" role="group" aria-labelledby="title">
    <header>
      <span class="badge">${$i(t)}</span>
      <div class="title isolate" id="title" tabindex="-1" role="heading" aria-level="2" dir=${Jn(t)}>${_e(t)}</div>
      ${e}
    </header>
    <div class="body">
      ${n.message.trim()===""?l:a`<div class="message">
            ${ke(n)?l:a`<span class="from isolate" dir=${Ct(i("says",{service:""}))}>${i("says",{service:r})}</span>`}
            ${wi(n)}
          </div>`}
      ${ki(t)}
      ${n.context.account?a`<p class="account">${i("account")} <bdi>${p(n.context.account)}</bdi></p>`:l}
    </div>
  </div>`}function $i({kind:t,question:e}){return e.context.trigger==="tool_approval"?R.approval:t==="waiting"?R.clock:t==="unsupported"?R.form:R[t]}var ke=({context:t})=>(t.trigger==="tool_approval"||t.trigger==="approvers")&&t.server!==void 0;function wi(t){let{message:e,context:n}=t;if(n.trigger!=="tool_approval"&&!ke(t))return a`<div class="words" dir="auto">${L(e)}</div>`;let r=Nt(Y(kn(e)));return ke(t)?a`<div class="words exact whole" dir="ltr" tabindex="0" role="region" aria-labelledby="title">${r}</div>`:a`<div class="words exact" dir="ltr">${r}</div>`}var Jn=t=>Ct(_e({...t,service:""}));function _e(t){let{kind:e,question:n,service:r,say:i}=t,{trigger:s}=n.context;return s==="tool_approval"?i("approvalTitle",{service:r}):s==="approvers"?i("waitingTitle",{service:r}):e==="connect"?i(s==="credential_required"?"connectTitle":"visitTitle",{service:r}):i("formTitle",{service:r})}function Fn(t,e){let n={good:R.done,bad:R.no,neutral:R.clock}[e.tone];return a`<div class="card settled" part="card" role="group" aria-labelledby="title">
    <header>
      <span class="badge ${e.tone}">${n}</span>
      <div class="title">
        <span class="isolate" id="title" dir=${Jn(t)}>${_e(t)}</span>
        <span class="sentence" id="outcome" tabindex="-1">${e.sentence}</span>
      </div>
    </header>
  </div>`}var D=t=>t===void 0?l:a`<p class="problem">${R.warning}<span>${t}</span></p>`;function ki(t){switch(t.kind){case"connect":return xi(t);case"approval":return a`${ke(t.question)?l:Dn(t)} ${Ai(t)}`;case"waiting":return a`${Ti(t)} ${D(t.problem)}
        <div class="buttons">${xe(t,"takeBack")}</div>`;case"form":return a`${t.question.context.trigger==="tool_approval"&&!ke(t.question)?Dn(t):l} ${Ci(t)}`;case"unsupported":return a`<p>${t.say("unsupported")} <a href=${t.hosted} target="_blank" rel="noopener">${t.say("hosted")}</a></p>
        ${D(t.problem)}
        <div class="buttons">${xe(t,"decline")}</div>`}}function xi(t){let{address:e,say:n}=t;if(!e)return a`${D(n("unsafe"))} ${D(t.problem)}
      <div class="buttons">${xe(t,"dismiss")}</div>`;let r=n(t.question.context.trigger==="credential_required"?"connect":"visit");return a`
    <dl>
      <div>
        <dt>${n("address")}</dt>
        <dd><code class="address">${e.before}<strong>${e.trust}</strong>${e.after}</code></dd>
      </div>
    </dl>
    ${e.insecure?a`<p class="warn">${R.warning}<span>${n("insecure")}</span></p>`:l} ${_i(t,e)} ${D(t.problem)}
    <div class="buttons">
      ${e.foreign?a`<a class="button primary" id="go" href=${e.href} target="_blank" rel="noopener noreferrer"
            @click=${t.open}>${r}</a>`:a`<button type="button" class="primary" id="go" @click=${t.open}>
            ${t.phase==="opened"?n("openAgain"):r}
          </button>`}
      ${xe(t,"dismiss")}
    </div>
  `}function _i(t,e){let{say:n,phase:r}=t,i=a`<a href=${e.href}>${n("sameWindow")}</a>`;switch(r){case"opened":return a`<p class="status">
        ${R.clock}<span>${n(e.foreign?"openedTab":"opened")} ${e.foreign?l:i}</span>
      </p>`;case"blocked":return D(a`${n("blocked")} ${i}`);case"confirming":return a`<p class="status">${R.clock}<span>${n("confirming")}</span></p>`}return l}function Dn(t){let{context:e}=t.question,{say:n}=t,r=je(e.arguments??""),i=r.split(`
`).length;return a`<dl>
    ${e.tool===void 0?l:a`<div>
          <dt>${n("toolLabel")}</dt>
          <dd><code><bdi>${p(e.tool)}</bdi></code></dd>
        </div>`}
    <div>
      <dt id="arguments">${i>8?n("argumentLines",{n:i}):n("arguments")}</dt>
      <dd>
        ${r===""?n("noArguments"):a`<pre class="arguments" tabindex="0" role="region" aria-labelledby="arguments">${Nt(r)}</pre>`}
      </dd>
    </div>
  </dl>`}function Ti({question:t,say:e}){let n=t.approvers;if(!n)return l;let r=n.people.filter(i=>i.decision==="allow_once").length;return a`<div class="panel">
    <p id="panel" aria-live="polite">${e("approversHave",{have:r,need:n.need})}</p>
    <ul aria-labelledby="panel">
      ${n.people.map(i=>{let s=i.decision==="allow_once"?"good":i.decision==="deny"?"bad":"neutral",o={good:R.done,bad:R.no,neutral:R.clock}[s],u=s==="good"?"approverAllowed":s==="bad"?"approverDenied":i.late?"approverLate":"approverAsked";return a`<li class=${s}>${o}<bdi>${p(i.name)}</bdi><span>${e(u)}</span></li>`})}
    </ul>
  </div>`}function Ai(t){let e=t.fields[0].options,n=e.find(r=>r.value==="asked_back");return a`${D(t.problem)}<div class="buttons">${e.filter(r=>r!==n).map(r=>Wn(t,r))}</div>
  ${Ei(t)}${Si(t,n)}`}function Wn({say:t,phase:e,decide:n},{value:r,label:i}){return a`<button type="button" class=${r==="allow_once"?"primary":""} data-decision=${r}
    aria-disabled=${e==="sending"} @click=${()=>n(r)}>
    ${i===r&&Ri(r)?t(r):p(i)}
  </button>`}function Si(t,e){let{fields:n,entries:r,errors:i,say:s,enter:o}=t,u=n.filter(c=>c.kind==="string");return u.length===0&&!e?l:a`<details class="narrow">
    <summary>${s("remark")}</summary>
    <div class="form">
      ${u.map(c=>Ye({id:`field-${n.indexOf(c)}`,field:c,entry:r[c.name],error:i[c.name],say:s,enter:h=>o(c.name,h)}))}
      ${e?a`<div class="buttons">${Wn(t,e)}</div>`:l}
    </div>
  </details>`}function Ei(t){let{fields:e,entries:n,errors:r,say:i}=t,s=e.slice(1).filter(o=>o.kind==="choice");return s.length===0?l:a`<details class="narrow">
    <summary>${i("narrow")}</summary>
    <div class="form">
      ${s.map(o=>Ye({id:`field-${e.indexOf(o)}`,field:o,entry:n[o.name],error:r[o.name],say:i,sure:!0,enter:u=>t.enter(o.name,u)}))}
      ${s.some(o=>n[o.name]!==void 0)?a`<div class="buttons"><button type="button" @click=${()=>s.forEach(o=>t.enter(o.name,void 0))}>${i("noLimits")}</button></div>`:l}
    </div>
  </details>`}function Ri(t){return t==="allow_once"||t==="always_allow"||t==="deny"||t==="asked_back"}function Ci(t){let{fields:e,entries:n,errors:r,say:i}=t;return a`<form class="form" novalidate @submit=${t.submit}>
    ${e.map((s,o)=>Ye({id:`field-${o}`,field:s,entry:n[s.name],error:r[s.name],say:i,enter:u=>t.enter(s.name,u)}))}
    ${D(t.problem)}
    <div class="buttons">
      <button class="primary" aria-disabled=${t.phase==="sending"}>${i(t.phase==="sending"?"sending":"submit")}</button>
      ${xe(t,"decline")}
    </div>
  </form>`}function xe(t,e){return a`<button type="button" class="quiet" id="decline" aria-disabled=${t.phase==="sending"} @click=${t.decline}>
    ${t.say(e)}
  </button>`}function Ze(t,e,n,r){let i=Mi(e,n,r),s=t.context.trigger==="credential_required";if(t.context.trigger==="approvers")return Pi(e,i,r);switch(e.action){case"accept":return n.answered&&n.decision!==void 0?Bn(n.decision,n.chosen,"",r):e.decision!==void 0?Bn(e.decision,qi(t,e),i,r):s?{tone:"good",sentence:r("connected",{place:i})}:{tone:"good",sentence:r(t.mode==="url"?"visited":"answered",{place:i})};case"decline":return{tone:"bad",sentence:r(s?"notConnected":"declined",{place:i})};case"expire":return{tone:"neutral",sentence:r("expired")}}return e.by?{tone:"neutral",sentence:r("cancelled",{place:i})}:{tone:"neutral",sentence:r(e.reason==="superseded"?"superseded":"withdrawn")}}function Pi(t,e,n){if(t.action==="expire")return{tone:"neutral",sentence:n("expired")};if(t.by)return{tone:"neutral",sentence:n("takenBack",{place:e})};let r=p(t.reason??"");return t.action==="accept"?{tone:"good",sentence:n("othersAllowed",{reason:r})}:t.action==="decline"?{tone:"bad",sentence:n("othersDenied",{reason:r})}:{tone:"neutral",sentence:n("withdrawn")}}function qi(t,{decision:e,limits:n}){return jt(oe(t.requestedSchema)??[],{...n,decision:e})}function jt(t,e){return t.flatMap(({name:r,options:i})=>i.find(s=>s.value===e[r]&&s.label!==s.value)?.label??[]).map(p).join(" · ")}function Bn(t,e,n,r){switch(t){case"allow_once":return{tone:"good",sentence:r("allowed_once",{place:n})};case"always_allow":return{tone:"good",sentence:e?r("allowed_as",{chosen:e,place:n}):r("allowed_always",{place:n})};case"asked_back":return{tone:"neutral",sentence:r("asked_back_done",{place:n})};case"deny":return{tone:"bad",sentence:r("denied",{place:n})}}return{tone:"good",sentence:r("answered",{place:n})}}function Mi(t,e,n){if(e.answered)return"";switch(t.via){case"page":return n("onPage");case"slack":return n("inSlack");case void 0:case"chat":return e.watched?n("elsewhere"):""}return n("elsewhere")}var Xe=t=>e=>e.n===1?`1 ${t}`:`${e.n} ${t}s`,Vn=Xe("character"),Qn=Xe("choice"),Ii=t=>t<60?Xe("second")({n:t}):Xe("minute")({n:t/60}),Oi={log:"Conversation",you:"You",assistant:"Assistant",placeholder:"Write a message",send:"Send",stop:"Stop",newConversation:"New conversation",empty:"Ask something to begin.",loading:"Loading the conversation…",thinking:"Working…",copyAnswer:"Copy answer",copyCode:"Copy code",copied:"Copied",again:"Ask again",turnFailed:"This answer failed.",turnStopped:"You stopped this answer.",taskDone:"done:",taskOpen:"to do:",stopped:"You stopped watching this answer. What was begun may go on.",resume:"Show the rest",waiting:t=>t.n===1?"A question waits for you":`${t.n} questions wait for you`,latest:"Latest message",unsent:"Not sent",lost:"The connection was lost. Trying again…",troubled:"{said} Trying again…",tryNow:"Try now",retry:"Try again",unreachable:"The server could not be reached. Check your connection and try again.",unreachableFrom:"The server could not be reached, or does not let pages of {origin} use it. Check your connection; if others can reach it, tell whoever runs it to list this origin.",signedOut:"You are not signed in, or no longer. Sign in and try again.",forbidden:"You may not do this. Ask whoever runs this site for access.",tooMany:"That was too much at once. Wait a moment and try again.",failed:"Something went wrong at the server. Try again.",connectLink:"Connect",tool:"Tool",toolCalls:"{n} tool calls",toolsDone:"all done",toolsFailed:"{n} failed",toolWriting:"preparing",toolRunning:"running",toolAsking:"waits for you",toolDone:"done",toolFailed:"failed",toolDenied:"denied",toolInput:"Input",toolOutput:"Result",toolError:"Error",image:"Image",imageGone:"{name} cannot be shown.",progressOf:"{done} of {total}",connectTitle:"Connect {service}",visitTitle:"{service} asks you to open a page",approvalTitle:"{service} needs your approval",waitingTitle:"Others decide about {service}",approversHave:"Allowed by {have} of the {need} who are needed.",approverAllowed:"allowed it",approverDenied:"denied it",approverAsked:"is asked",approverLate:"did not answer in time",othersAllowed:"Allowed: {reason}.",othersDenied:"Not allowed: {reason}.",takenBack:"You took it back{place}.",takeBack:"Take it back",formTitle:"{service} asks you",someone:"A service without a name",says:"{service} says:",account:"You answer as",toolLabel:"Tool",arguments:"Arguments",argumentLines:"Arguments, {n} lines",noArguments:"None",address:"You will go to",insecure:"This address is not encrypted: others on the network can read what you enter there.",unsafe:"The address of this question is not safe to open, so it is not offered. You can dismiss the question.",connect:"Connect",visit:"Open the page",dismiss:"Dismiss",decline:"Decline",submit:"Send answer",sending:"Sending…",opened:"Continue in the window that has opened. This card closes when it is done.",openedTab:"Continue in the tab that has opened. This card closes when it is done.",blocked:"Your browser kept the window from opening.",sameWindow:"Open it in this window instead",openAgain:"Open it again",confirming:"Done there. Waiting for the server to confirm…",unsupported:"This question cannot be shown here.",hosted:"Answer it on its own page",allow_once:"Allow once",noLimits:"Take the limits back",remark:"Say why, or ask back",narrow:"Limits for a permission that stays",limitsUnused:"You set limits for a permission that stays. Press “{always}” to use them, or take them back.",always_allow:"Always allow",deny:"Deny",asked_back:"Ask back",expiresIn:"{time} left",expiresAt:"Open until {time}",secondsLeft:t=>`${Ii(Number(t.n))} left to answer ${t.service}.`,announce:"Question from {service}: {message}",connected:"Connected{place}.",notConnected:"Not connected: you dismissed it{place}.",visited:"Done{place}.",allowed_once:"You allowed it once{place}.",allowed_always:"You allowed it from now on{place}.",allowed_as:"You chose{place}: {chosen}.",denied:"You denied it{place}.",asked_back_done:"You asked back{place}: the call was not made.",answered:"Answered{place}.",declined:"Declined{place}.",cancelled:"Cancelled{place}.",withdrawn:"No longer asked.",superseded:"A newer question has taken its place.",expired:"Expired. Nobody answered in time.",onPage:" on the hosted page",inSlack:" in Slack",elsewhere:" elsewhere",answerUnreachable:"The answer could not be sent. Check your connection and try again.",answerSignedOut:"You are not signed in, or no longer. Sign in and answer again.",answerForbidden:"This question is not yours to answer, or it does not exist any more.",answerSettled:"Answered elsewhere in the meantime.",answerFailed:"The server could not take the answer. Try again.",answerInvalid:"Please correct what is marked.",required:"required",choose:"Choose…",yes:"Yes",no:"No",emptyOption:"(empty)",noAnswer:"No answer",localTime:"Your local time, UTC{offset}",error:"Error:",hintLength:"{range} characters",hintChoices:"Choose {range}",from:"From {low} to {high}",atLeast:"At least {low}",atMost:"At most {high}",exactly:"Exactly {low}",errorRequired:"{label} is required.",errorNumber:"{label} must be a number.",errorInteger:"{label} must be a whole number.",errorDigits:"{label} has too many digits to be sent from here exactly.",errorMinimum:"{label} must be at least {n}.",errorMaximum:"{label} must be at most {n}.",errorMinLength:t=>`${t.label} must be at least ${Vn(t)} long.`,errorMaxLength:t=>`${t.label} must be at most ${Vn(t)} long.`,errorPattern:"{label} does not have the form that is asked for.",errorEmail:"{label} must be an email address such as name@example.com.",errorUri:"{label} must be a full address such as https://example.com/page.",errorDate:"{label} must be a date such as 2026-01-31.",errorDateTime:"{label} must be a date and time.",errorMinItems:t=>`${t.label} must have at least ${Qn(t)}.`,errorMaxItems:t=>`${t.label} must have at most ${Qn(t)}.`};function et(t){return(e,n={})=>{let r=t?.[e]??Oi[e];return typeof r=="function"?r(n):r.replace(/\{(\w+)\}/g,(i,s)=>s in n?String(n[s]):i)}}var zt=et({allowed_once:"Allowed once{place}.",allowed_always:"Allowed from now on{place}.",allowed_as:"Chosen{place}: {chosen}.",denied:"Denied{place}.",notConnected:"Not connected: dismissed{place}."}),Li=new Intl.DateTimeFormat(void 0,{dateStyle:"medium",timeStyle:"short"});function v(t){let e=new Date(t??"");return Number.isNaN(e.valueOf())?"":Li.format(e)}var Dt=t=>Ne(He(t)||zt("someone"));function H({question:t}){return _e({kind:t.mode==="url"?"connect":"form",question:t,service:Dt(t),say:zt})}var de=({question:t})=>p(t.message),Ui={inbox:"in the inbox",page:"on its page",chat:"in the chat",slack:"in Slack",terminal:"in the terminal"};function tt({question:t}){let e=t.outcome;if(!e)return{tone:"neutral",sentence:"",where:""};let n=Ze(t,{...e,via:"chat"},{answered:!1,watched:!1},zt),r=e.by?`by ${p(e.by)}`:"",i=e.via?Ui[e.via]??`through ${p(e.via)}`:"";return{...n,where:[r,i,v(e.at)].filter(s=>s!=="").join(" · ")}}var Ni={pending:"Open",settled:"Settled","":"All"},rt=class extends b{static styles=[x,_,A,q];#e="pending";#t="";#n=[];#r;#i=!1;#s;#a="";#o="";#l=0;firstUpdated(){this.#c(!0)}async#c(e){let n=++this.#l;this.#i=!0,this.#s=void 0,this.requestUpdate();try{let r=new URLSearchParams({limit:"50",...this.#e&&{state:this.#e},...this.#t&&{user:this.#t},...!e&&this.#r&&{cursor:this.#r}}),i=ne(await k(`/api/elicitations?${r}`),location.origin);if(n!==this.#l)return;this.#n=e?i.items:[...this.#n,...i.items],this.#r=i.next}catch(r){if(n!==this.#l)return;this.#s=r.message}this.#i=!1,this.requestUpdate()}#u=e=>{e.preventDefault();let n=this.renderRoot.querySelector("form"),r=new FormData(n);this.#e=String(r.get("state")??""),this.#t=String(r.get("user")??"").trim(),this.#c(!0)};render(){let e=this.#n.length===0&&!this.#i&&!this.#s&&!this.#r;return a`<div class="bar"><h2 tabindex="-1">Questions of the tenant</h2></div>
      <form class="filter" @submit=${this.#u}>
        <label>Which<select name="state" @change=${this.#u}>${Object.entries(Ni).map(([n,r])=>a`<option value=${n} ?selected=${n===this.#e}>${r}</option>`)}</select></label>
        <label>Whose<input name="user" autocomplete="off" placeholder="everybody" /></label>
        <button>Show</button>
      </form>
      <div role="status" class="meta">${this.#o}</div>
      ${e?a`<p class="empty">No such question is there.</p>`:l}
      <ul class="things">${this.#n.map(n=>this.#m(n))}</ul>
      ${this.#s?a`<p class="problem" role="alert">${this.#s}</p>`:l}
      ${this.#r||this.#s?a`<p><button type="button" @click=${()=>{this.#c(!1)}}>${this.#i?"Reading…":"Show more"}</button></p>`:l}`}#m(e){let n=e.question.context.account,r=tt(e);return a`<li class="thing">
      <div class="about">
        <strong dir="auto">${nt(e)}</strong>
        <div class="clip" dir="auto">${de(e)}</div>
        <div class="meta">To ${n?p(n):"a group"} · asked ${v(e.createdAt)}${e.asker?` for ${p(e.asker)}`:""}${e.pending?` · open until ${v(e.question.expiresAt)}`:""}</div>
      </div>
      <div class="side">
        ${e.pending?this.#h(e):a`<span class=${r.tone}>${r.sentence}</span><div class="meta">${r.where}</div>`}
      </div>
    </li>`}#h(e){let n=r=>()=>{this.#a=r,this.requestUpdate()};return this.#a!==e.id?a`<button type="button" aria-label="Withdraw: ${nt(e)}" @click=${n(e.id)}>Withdraw</button>`:a`<button type="button" class="primary" aria-label="Really withdraw: ${nt(e)}" @click=${()=>{this.#p(e)}}>Really withdraw</button>
      <button type="button" class="quiet" @click=${n("")}>Keep</button>`}async#p(e){this.#a="";try{await k(`/api/elicitations/${encodeURIComponent(e.id)}/cancel`,{method:"POST"}),this.#o=`Withdrawn: ${nt(e)}.`}catch(n){this.#o=n.message}await this.#c(!0),this.renderRoot.querySelector("h2")?.focus()}};function nt({question:t}){let{trigger:e,tool:n}=t.context,r=Dt(t);return e==="credential_required"?`Account for ${r}`:e==="approvers"?`Waiting for others: ${r}`:e==="tool_approval"?n?`Approval of ${p(n)}, ${r}`:`Approval for ${r}`:`Question of ${r}`}function N(t){return $(t).flatMap(e=>{let n=m(e);return n?[n]:[]})}var J=t=>N(m(t)?.items);function Kn(t){let e=m(t)??{};return{since:d(e.since)??"",until:d(e.until)??"",looked:typeof e.looked_at=="number"?e.looked_at:0,counts:m(e.counts)??{},items:N(e.items),complete:e.complete!==!1,unknown:N(e.not_known).flatMap(n=>d(n.text)??[])}}function Gn(t,e){let{position:n,source:r,approvers:i,...s}=t,o={...s};for(let c of["name","server","tool","when","approve"])e(c)?o[c]=e(c):delete o[c];let u=e("of").split(",").map(c=>c.trim()).filter(c=>c!=="");return u.length>0&&(o.approvers={need:Number(e("need"))||1,of:u}),o}function Zn(t){let e=["name","server","tool","when","approve","approvers","position","source"];return Object.keys(t).filter(n=>!e.includes(n))}function Ht(t){let e=$(t?.of).flatMap(n=>d(n)??[]);return`${String(t?.need??1)} of ${e.map(p).join(", ")}`}var ji=[["refuse","would have been refused","would have been refused"],["approvers","would have needed approvers","would have needed approvers"],["ask","would have been asked about","would have been asked about"],["pass","would have passed without a question","would have passed without a question"],["unknown","cannot be judged","cannot be judged"],["unchanged","is as before","are as before"]];function Xn({counts:t}){return`${ji.flatMap(([n,r,i])=>typeof t[n]=="number"&&t[n]>0?[`${t[n]} ${t[n]===1?r:i}`]:[]).join("; ")}.`}var Yn={pass:"nobody is asked",ask:"the person is asked",approvers:"approvers are asked",refuse:"refused",unknown:"not known"};function er(t){return a`<table>
    <thead>
      <tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">Call</th><th scope="col">By the rules of now</th><th scope="col">With this rule</th></tr>
    </thead>
    <tbody>
      ${t.map(e=>{let n=d(e.then)??"",r=d(e.agent),i=m(e.approvers),s=d(e.why);return a`<tr>
          <td>${v(d(e.at))}</td>
          <td>${p(d(e.user)??"")}<div class="meta">${r?`by ${p(r)}`:"through the gateway"}</div></td>
          <td>${p(d(e.tool)??"")}, ${p(d(e.server)??"")}<div class="meta">${e.how?`it ${p(d(e.how)??"").replace("refused","was refused")}`:""}</div></td>
          <td>${Yn[d(e.now)??""]??""}</td>
          <td class=${n==="refuse"?"bad":""}>${Yn[n]??""}${i?`: ${Ht(i)}`:""}${s?a`<div class="meta" dir="auto">${p(s)}</div>`:""}</td>
        </tr>`})}
    </tbody>
  </table>`}var tr={always:"asks for every such call",unsafe:"asks for such calls of tools that are not read-only",never:"asks nobody",refuse:"refuses such calls"},zi={1:"the last day",7:"the last week",30:"the last 30 days"},it=class extends b{static styles=[x,_,A,q];#e;#t={};#n;#r=!1;#i;#s="";#a="";firstUpdated(){this.#l(()=>this.#o())}async#o(){this.#e=J(await k("/api/rules"))}async#l(e){this.#i=void 0,this.requestUpdate();try{await e()}catch(n){this.#i=n.message}this.#r=!1,this.requestUpdate(),await this.updateComplete}render(){return a`<div class="bar"><h2 tabindex="-1">Rules</h2></div>
      <div role="status" class="meta">${this.#s}</div>
      ${this.#e?.length===0?a`<p class="empty">There is no rule. What a server says holds: approve, in its settings.</p>`:l}
      <ol class="things">${this.#e?.map(e=>this.#c(e))}</ol>
      <p class="meta">The first that fits a call counts; of the configuration's and the tenant's own, the stricter.</p>
      ${this.#m()} ${this.#i?a`<p class="problem" role="alert">${this.#i}</p>`:l} ${this.#b()}`}#c(e){let n=d(e.name)??"",r=e.source==="api",i=$(e.choices).flatMap(s=>d(s)??[]);return a`<li class="thing">
      <div class="about">
        <strong>${p(n)}</strong>
        <div>${Di(e)} ${e.approvers?`asks ${Ht(m(e.approvers))}`:tr[d(e.approve)??""]??""}.</div>
        ${e.when?a`<div>Only when <code>${p(d(e.when)??"")}</code></div>`:l}
        ${i.length>0?a`<div class="meta">The person may say: ${i.map(p).join(", ")}</div>`:l}
        <div class="meta">${r?"Of the tenant":"Of the configuration: it is changed there"}</div>
      </div>
      <div class="side">${r?this.#u(e,n):l}</div>
    </li>`}#u(e,n){let r=i=>()=>{this.#a=i,this.requestUpdate()};return this.#a===n?a`<button type="button" class="primary" aria-label="Really remove: ${p(n)}" @click=${()=>{this.#v(n)}}>Really remove</button>
        <button type="button" class="quiet" @click=${r("")}>Keep</button>`:a`<button type="button" aria-label="Try a change of ${p(n)}" @click=${()=>this.#h(e)}>Try a change</button>
      <button type="button" class="quiet" aria-label="Remove: ${p(n)}" @click=${r(n)}>Remove</button>`}#m(){let e=this.#t,n=m(e.approvers),r=s=>d(e[s])??"",i=Zn(e);return a`<h3 tabindex="-1" id="trying">Try a rule</h3>
      <p class="meta">It is judged on the calls that were recorded. Nothing holds before you store it.</p>
      ${i.length>0?a`<p class="meta">It keeps what is not asked for here: ${i.map(p).join(", ")}.</p>`:l}
      <form class="filter" @submit=${this.#d} @input=${this.#p}>
        <label>Name<input name="name" required autocomplete="off" maxlength="64" pattern="[A-Za-z0-9][A-Za-z0-9_\\-]*" .value=${r("name")} /></label>
        <label>Server<input name="server" autocomplete="off" maxlength="100" placeholder="any; * and ? stand for others" .value=${r("server")} /></label>
        <label>Tool<input name="tool" autocomplete="off" maxlength="100" placeholder="any" .value=${r("tool")} /></label>
        <label>What it does<select name="approve">${Object.entries(tr).map(([s,o])=>a`<option value=${s} ?selected=${s===(r("approve")||"always")}>${o}</option>`)}</select></label>
        <label class="long">Only when (an expression, such as args.amount &gt; 100)<input name="when" autocomplete="off" spellcheck="false" maxlength="4096" .value=${r("when")} /></label>
        <label>Approvers<input name="of" autocomplete="off" placeholder="instead of the person" .value=${$(n?.of).flatMap(s=>d(s)??[]).join(", ")} /></label>
        <label>How many of them<input name="need" type="number" min="1" max="50" .value=${String(n?.need??1)} /></label>
        <label>On the calls of<select name="days">${Object.entries(zi).map(([s,o])=>a`<option value=${s} ?selected=${s==="7"}>${o}</option>`)}</select></label>
        <button class="primary" aria-disabled=${this.#r}>${this.#r?"Trying…":"Try it"}</button>
      </form>`}#h(e){this.#t=e,this.#n=void 0,this.requestUpdate(),this.updateComplete.then(()=>this.renderRoot.querySelector("#trying")?.focus())}#p=()=>{this.#n&&(this.#n=void 0,this.requestUpdate())};#d=e=>{if(e.preventDefault(),this.#r)return;let n=new FormData(e.target),r=Gn(this.#t,s=>String(n.get(s)??"").trim()),i=new Date(Date.now()-Number(n.get("days"))*24*36e5).toISOString();this.#t={...r},this.#n=void 0,this.#r=!0,this.#l(async()=>{this.#n={rule:r,trial:Kn(await Jt("/api/rule-trials","POST",{rule:r,since:i}))}}).then(()=>this.renderRoot.querySelector("#found")?.focus())};#b(){if(!this.#n)return l;let{rule:e,trial:n}=this.#n,r=this.#e?.some(i=>i.name===e.name&&i.source==="api");return a`<h3 tabindex="-1" id="found">What it would have done</h3>
      <p>
        ${n.looked===0?a`No call was recorded from ${v(n.since)} to ${v(n.until)}.`:a`Of ${n.looked} calls from ${v(n.since)} to ${v(n.until)}: ${Xn(n)}`}
      </p>
      ${n.complete?l:a`<p class="notice">There were more calls than one trial looks at, so these are not all.</p>`}
      ${n.items.length>0?a`<div class="scrolls" tabindex="0" role="region" aria-label="Calls for which it makes a difference">${er(n.items)}</div>`:l}
      <details>
        <summary>What a trial cannot know</summary>
        <ul>${n.unknown.map(i=>a`<li>${i}</li>`)}</ul>
      </details>
      <p><button type="button" @click=${()=>{this.#f(e,r===!0)}}>${r?"Change":"Store"} the rule ${p(d(e.name)??"")}</button></p>`}async#f(e,n){let r=d(e.name)??"";await this.#l(async()=>{await(n?Jt(`/api/rules/${encodeURIComponent(r)}`,"PUT",e):Jt("/api/rules","POST",e)),this.#s=`Stored: ${p(r)}. It holds from now on.`,this.#n=void 0,this.#t={},await this.#o()}),this.#i||this.renderRoot.querySelector("h2")?.focus()}async#v(e){this.#a="",await this.#l(async()=>{await k(`/api/rules/${encodeURIComponent(e)}`,{method:"DELETE"}),this.#s=`Removed: ${p(e)}.`,this.#n=void 0,await this.#o()}),this.renderRoot.querySelector("h2")?.focus()}},Jt=(t,e,n)=>k(t,{method:e,body:JSON.stringify(n),headers:{"content-type":"application/json"}});function Di(t){let e=d(t.server),n=d(t.tool),i=Object.entries({read_only:"read-only",destructive:"destructive",idempotent:"idempotent",open_world:"open to the world"}).flatMap(([o,u])=>t[o]===void 0?[]:[`${t[o]===!0?"":"not "}${u}`]);return`For calls ${[n?`of ${p(n)}`:"",e?n?`at ${p(e)}`:`of ${p(e)}`:"",i.length>0?`whose tool is ${i.join(" and ")}`:""].filter(o=>o!=="").join(" ")||"of every tool"}, it`}var le=t=>{let e=Date.parse(d(t)??"");return Number.isNaN(e)?void 0:e};function nr(t){let e=le(t.created_at)??0,n=N(t.timeline).flatMap(s=>Hi(s)??[]),r=d(t.status)??"",i=Math.max(e,...n.flatMap(s=>[s.from??0,s.to??0]));return{id:d(t.id)??"",user:d(t.user)??"",agent:d(t.agent)??"",parent:d(t.parent)??"",status:r,reason:d(t.reason)??"",createdAt:d(t.created_at)??"",from:e,to:r==="ended"?Math.max(i,le(t.updated_at)??0):Math.max(i,Date.now()),spans:n,count:typeof t.timeline_count=="number"?t.timeline_count:n.length}}function Hi(t){let e=t.kind;if(e!=="model"&&e!=="call"&&e!=="wait")return;let n=m(t.asked)??{},r=d(t.tool)??"",i=d(t.server)??"";return{kind:e,step:typeof t.step=="number"?t.step:0,what:[r,i].filter(s=>s!=="").map(p).join(", "),from:le(t.from),to:le(t.to),how:d(t.how),pending:t.pending===!0,asked:p(d(n.to)??""),needed:typeof t.needed=="number"?t.needed:0,words:t.approvers?N(t.approvers).map(Ji):Fi(n)}}var rr=t=>t!==""&&t!=="deny"&&t!=="asked_back";function Ji(t){let e=d(t.decision)??"";return{name:p(d(t.name)??""),decision:e?ir(e):"",yes:rr(e),at:le(t.at)}}function Fi(t){let e=d(t.action);if(!e)return[];let n=d(t.decision)??"",r=d(t.by)??"";return[{name:p(r),decision:n?ir(n):r?Wi[e]??p(e):e==="expire"?"expired":"withdrawn",yes:e==="accept"&&(n===""||rr(n)),at:le(t.at)}]}var Wi={accept:"answered",decline:"declined",cancel:"dismissed",expire:"expired"},Bi={allow_once:"allowed",always_allow:"allowed from now on",deny:"denied",asked_back:"asked back",changed:"allowed with changes"},ir=t=>Bi[t]??p(t);function Ft(t){switch(t.kind){case"model":return"The model";case"call":return t.what||"A call"}return`Waiting for ${(t.words.length>0&&t.needed>0?t.words.map(n=>n.name).join(", "):t.asked)||"somebody"}${t.what?`: ${t.what}`:""}`}function Wt(t){if(t.kind==="call")return t.how??"";let e=t.words.filter(n=>n.decision!=="").map(n=>[n.name,n.decision].filter(r=>r!=="").join(" "));return t.needed>0&&e.unshift(`${t.needed} needed`),e.join(", ")}function sr(t,e){return t.from===void 0?"":t.pending?`${Z(t.from,e.to)} so far`:t.to===void 0?"":Z(t.from,t.to)}function Z(t,e){let n=Math.max(0,e-t);if(n<1e3)return`${Math.round(n)} ms`;if(n<6e4)return`${(n/1e3).toFixed(n<1e4?1:0)} s`;let r=Math.round(n/6e4);if(r<60)return`${r} min`;let i=Math.floor(r/60);return i<48?r%60?`${i} h ${r%60} min`:`${i} h`:`${Math.floor(i/24)} days${i%24?` ${i%24} h`:""}`}function or(t,e){let n=[...new Set([t.from,t.to,...e.flatMap(s=>[s.from,s.to,...s.words.map(o=>o.at)])])].filter(s=>s!==void 0&&s>=t.from).sort((s,o)=>s-o),r=new Map,i=0;return n.forEach((s,o)=>{o>0&&(i+=Math.log1p((s-n[o-1])/50)),r.set(s,i)}),{at:s=>r.get(s)??0,total:i||1}}var ar=20,Vi={working:["neutral","Working"],waiting:["neutral","Waiting"],done:["good","Done"],stopped:["neutral","Stopped"],step_limit:["bad","Stopped after too many steps"],failed:["bad","Failed"]},st=class extends b{static styles=[x,_,A,q];#e="";#t=[];#n=!1;#r=!0;#i=!1;#s;#a=new Set;firstUpdated(){this.#o(!0)}async#o(e){this.#i=!0,this.#s=void 0,this.requestUpdate();try{let n=e?void 0:this.#t.at(-1),r=new URLSearchParams({limit:String(ar),...this.#e&&{user:this.#e},...n&&{until:n.createdAt}}),i=await k(`/api/runs?${r}`),s=J(i).map(nr);this.#t=e?s:[...this.#t,...s],this.#n=s.length===ar,this.#r=m(i)?.complete!==!1}catch(n){this.#s=n.message}this.#i=!1,this.requestUpdate()}#l=e=>{e.preventDefault(),this.#e=String(new FormData(e.target).get("user")??"").trim(),this.#o(!0)};render(){return a`<div class="bar"><h2>Runs</h2><button type="button" @click=${()=>{this.#o(!0)}}>Look again</button></div>
      <form class="filter" @submit=${this.#l}>
        <label>Whose<input name="user" autocomplete="off" placeholder="everybody" /></label>
        <button>Show</button>
      </form>
      ${this.#r?l:a`<p class="notice">There are more runs than one look goes through, so some may be missing. Name a person to see all of theirs.</p>`}
      ${this.#t.length===0&&!this.#i&&!this.#s?a`<p class="empty">No agent was asked anything yet, or it was forgotten.</p>`:l}
      <ul class="things">${this.#t.map(e=>this.#c(e))}</ul>
      ${this.#s?a`<p class="problem" role="alert">${this.#s}</p>`:l}
      ${this.#n||this.#s?a`<p><button type="button" @click=${()=>{this.#o(this.#t.length===0)}}>${this.#i?"Reading…":"Show more"}</button></p>`:l}`}#c(e){let[n,r]=Vi[e.reason||e.status]??["neutral",p(e.status)],i=e.spans.filter(u=>u.kind==="call").length,s=e.spans.filter(u=>u.kind==="wait").length,o=`${p(e.agent)} for ${p(e.user)}`;return a`<li class="thing">
      <div class="about">
        <strong>${o}</strong>
        <div class="meta">${v(e.createdAt)} · ${Z(e.from,e.to)}${e.status==="ended"?"":" so far"} · ${dr(i,"call")} · ${dr(s,"wait")} for people${e.parent?" · delegated by another run":""}</div>
      </div>
      <div class="side"><span class=${n}>${r}</span></div>
      <details class="wide" @toggle=${u=>this.#u(e.id,u.target.open)}>
        <summary>Timeline<span class="hidden"> of ${o}, ${v(e.createdAt)}</span></summary>
        ${this.#a.has(e.id)?a`<parley-run-timeline .run=${e}></parley-run-timeline>`:l}
      </details>
    </li>`}#u(e,n){n?this.#a.add(e):this.#a.delete(e),this.requestUpdate()}},dr=(t,e)=>`${t} ${e}${t===1?"":"s"}`;var Qi={up:["good","Up"],down:["bad","Down"],needs_connection:["bad","Nobody has provided the credential that it takes"],unknown:["muted","Not looked at yet"]},ot=class extends b{static styles=[x,_,A,q];#e;#t=[];#n=new Map;#r;firstUpdated(){this.#i()}async#i(){this.#r=void 0;try{let[e,n]=await Promise.all([k("/api/servers"),k("/api/providers")]);this.#e=J(e),this.#t=J(n)}catch(e){this.#r=e.message}this.requestUpdate()}async#s(e,n=!1){if(!(this.#n.has(e)&&!n)){this.#n.set(e,{}),this.requestUpdate();try{this.#n.set(e,m(await k(`/api/servers/${encodeURIComponent(e)}/checklist?metadata=true`))??{})}catch(r){this.#n.set(e,r.message)}this.requestUpdate()}}render(){return a`<div class="bar"><h2>Servers</h2><button type="button" @click=${()=>{this.#i()}}>Look again</button></div>
      ${this.#r?a`<p class="problem" role="alert">${this.#r}</p>`:l}
      ${this.#e?.length===0?a`<p class="empty">There is no server. Add one in the configuration, or with POST /api/servers.</p>`:l}
      <ul class="things">${this.#e?.map(e=>this.#a(e))}</ul>
      ${this.#e?a`<h3>Providers</h3>`:l}
      ${this.#e&&this.#t.length===0?a`<p class="muted">There is no OAuth provider. Servers with auth.type mcp name theirs themselves.</p>`:l}
      <ul class="things">${this.#t.map(Zi)}</ul>`}#a(e){let n=d(e.name)??"",r=m(e.status)??{},i=m(e.auth)??{},[s,o]=Qi[e.enabled===!1?"":d(r.state)??""]??["muted",e.enabled===!1?"Disabled":""],u=$(e.agents).flatMap(h=>d(h)??[]),c=d(r.error);return a`<li class="thing">
      <div class="about">
        <strong>${p(d(e.title)??n)}</strong>
        <div class="meta">${p(d(e.url)??"a program of the configuration")}</div>
        <div class="meta">
          Calls need an approval: ${p(d(e.approve)??"")} · credential: ${Ki(i)}${u.length>0?` · agents: ${u.map(p).join(", ")}`:""}
          · from the ${e.source==="api"?"API":"configuration"}
        </div>
      </div>
      <div class="side">
        <span class=${s}>${o}</span>
        <div class="meta">${typeof r.tools=="number"?`${r.tools} tools`:""}${r.since?` since ${v(d(r.since))}`:""}</div>
      </div>
      ${c?a`<p class="wide bad" dir="auto">${p(c)}</p>`:l} ${Gi(r)}
      ${Yi(i)?this.#o(n):a`<p class="wide meta">${d(i.type)==="none"?"It takes no credential, so nobody has to connect.":"It takes a key or a token, so there is nothing to register."}</p>`}
    </li>`}#o(e){return a`<details class="wide" @toggle=${n=>n.target.open&&void this.#s(e)}>
        <summary>Setup checklist<span class="hidden"> of ${p(e)}</span></summary>
        ${this.#l(e)}
      </details>`}#l(e){let n=this.#n.get(e);if(typeof n=="string")return a`<p class="problem" role="alert">${n}</p>`;let r=J(n).filter(s=>s.item!=="connection");if(r.length===0)return a`<p class="muted" role="status">Looking…</p>`;let i=d(n?.redirect_uri);return a`<p class=${n?.ready===!0?"good":"bad"} role="status">
        ${n?.ready===!0?"Everything is there. The chat asks people to connect.":"Something is missing before people can connect in the chat."}
      </p>
      ${i?a`<p>Register this redirect URI, to the letter: <code>${i}</code></p>`:l}
      <ul class="checks">
        ${r.map(s=>{let o=s.ok===!0;return a`<li>
            <span class="mark ${o?"good":"bad"}" aria-hidden="true">${o?"✓":"✗"}</span>
            <div><span class="hidden">${o?"Done: ":"Missing: "}</span>${p(d(s.detail)??"")}${s.fix?a`<div class="meta">${p(d(s.fix)??"")}</div>`:l}</div>
          </li>`})}
      </ul>
      <p><button type="button" @click=${()=>{this.#s(e,!0)}}>Check again<span class="hidden"> ${p(e)}</span></button></p>`}};function Yi(t){return d(t.type)==="oauth2"||d(t.type)==="mcp"||d(t.source)!==void 0}function Ki(t){let e=d(t.type)??"none";if(e==="none")return"none";let n={user:"each person's own",mentor:"each agent's own",platform:"one for all"},r=e==="bearer"||e==="api_key"?t.has_token===!0?", stored":t.scope==="platform"?", not stored here":"":"";return`${p(e)}, ${n[d(t.scope)??""]??""}${r}`}function Gi(t){let e=N(t.left_out);if(e.length===0)return l;let n=typeof t.left_out_count=="number"?t.left_out_count:e.length;return a`<details class="wide">
    <summary>${n} left out of what it lists</summary>
    <ul class="checks">
      ${e.map(r=>a`<li>
          <span class="mark" aria-hidden="true">–</span>
          <div>${p(d(r.kind)??"")} <code>${p(d(r.name)||"without a name")}</code>${r.part?`, its ${p(d(r.part)??"")}`:""}: <span dir="auto">${p(d(r.reason)??"")}</span></div>
        </li>`)}
    </ul>
    ${n>e.length?a`<p class="meta">These are the first ${e.length}.</p>`:l}
  </details>`}function Zi(t){let e=$(t.scopes).flatMap(i=>d(i)??[]),n=d(t.client_id),r=t.has_secret===!0;return a`<li class="thing">
    <div class="about">
      <strong>${p(d(t.title)??d(t.name)??"")}</strong>
      <div class="meta">${p(d(t.auth_url)??"")} · from the ${t.source==="api"?"API":"configuration"}</div>
      ${e.length>0?a`<div class="meta">Scopes: ${e.map(p).join(", ")}</div>`:l}
    </div>
    <ul class="checks wide">
      <li><span class="mark ${n?"good":"bad"}" aria-hidden="true">${n?"✓":"✗"}</span><div>${n?a`Client id <code>${p(n)}</code>`:"The client id is missing."}</div></li>
      <li>
        <span class="mark ${r?"good":"muted"}" aria-hidden="true">${r?"✓":"–"}</span>
        <div>${r?"The client secret is stored. It is never shown.":"No client secret is stored: that is right for a public client only."}</div>
      </li>
      <li><span class="mark" aria-hidden="true">→</span><div>Register this redirect URI, to the letter: <code>${d(t.redirect_uri)??""}</code></div></li>
    </ul>
  </li>`}var lr=40,Bt=12,X=6,at=class extends b{static styles=[x,_,A,q,E`
      svg {
        inline-size: 100%;
        block-size: auto;
        margin-block: 0.4rem;
        stroke: none;
      }
      text {
        fill: var(--_text);
        font: 12.5px var(--_font, sans-serif);
      }
      .lane {
        fill: var(--_sunken);
      }
      .model {
        fill: var(--_muted);
      }
      .call {
        fill: var(--_accent);
      }
      .call.failed,
      .call.refused {
        fill: var(--_danger);
      }
      .wait {
        fill: url(#stripes);
        stroke: var(--_text);
        stroke-width: 1;
      }
      .stripe {
        stroke: var(--_text);
        stroke-width: 2;
      }
      .said {
        fill: var(--_surface);
        stroke: var(--_success);
        stroke-width: 3;
      }
      .said.no {
        stroke: var(--_danger);
      }
      .legend {
        display: flex;
        flex-wrap: wrap;
        gap: 0.2rem 1rem;
      }
      .legend svg {
        display: inline-block;
        inline-size: 1.4rem;
        block-size: 0.75rem;
        margin: 0 0.3rem 0 0;
        vertical-align: -1px;
      }
    `];static properties={run:{attribute:!1},_width:{state:!0}};#e;constructor(){super(),this._width=640}connectedCallback(){super.connectedCallback(),this.#e=new ResizeObserver(([e])=>{let n=Math.round(e.contentRect.width);n>0&&(this._width=n)}),this.#e.observe(this)}disconnectedCallback(){super.disconnectedCallback(),this.#e?.disconnect()}render(){let{spans:e,count:n}=this.run;if(e.length===0)return a`<p class="muted">Nothing has happened in it yet.</p>`;let r=e.filter(i=>i.from!==void 0);return a`${r.length>0?this.#t(r):a`<p class="muted">When things happened was not kept yet when this ran.</p>`}
      <details>
        <summary>The same as a table</summary>
        <div class="scrolls" tabindex="0" role="region" aria-label="What the run was spent on">${Xi(e)}</div>
      </details>
      ${n>e.length?a`<p class="meta">These are the first ${e.length} of ${n}.</p>`:l}`}#t(e){let{at:n,total:r}=or(this.run,e),i=this._width,s=h=>X+n(h)/r*(i-2*X),o=e.length*lr+4,u=e.filter(h=>h.kind==="wait").length,c=e.filter(h=>h.kind==="call").length;return a`<svg viewBox="0 0 ${i} ${o}" role="img" aria-label="Picture of the run: ${c} calls, ${u} waits for people, ${Z(this.run.from,this.run.to)} in all. The same is in the table below.">
        <defs>
          <pattern id="stripes" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><line class="stripe" x1="0" y1="0" x2="0" y2="6"></line></pattern>
        </defs>
        ${e.map((h,g)=>this.#n(h,g*lr,s,i))}
      </svg>
      <p class="meta legend">
        <span><svg viewBox="0 0 22 12" aria-hidden="true"><rect class="model" width="22" height="12"></rect></svg>the model</span>
        <span><svg viewBox="0 0 22 12" aria-hidden="true"><rect class="call" width="22" height="12"></rect></svg>a call</span>
        <span><svg viewBox="0 0 22 12" aria-hidden="true"><rect class="call failed" width="22" height="12"></rect></svg>failed or refused</span>
        <span><svg viewBox="0 0 22 12" aria-hidden="true"><rect class="wait" x="1" y="1" width="20" height="10"></rect></svg>a wait for people</span>
        <span><svg viewBox="0 0 22 12" aria-hidden="true"><circle class="said" cx="15" cy="6" r="4.5"></circle></svg>somebody answered</span>
        <span>Long times are drawn shorter than they were.</span>
      </p>`}#n(e,n,r,i){let s=r(e.from),o=r(e.to??this.run.to),u=Math.max(o-s,3),c=[Ft(e),Wt(e),sr(e,this.run)].filter(g=>g!=="").join(" · "),h=Math.max(8,Math.floor((i-2*X)/6.6));return T`<text x=${X} y=${n+15} dir="auto">${c.length>h?c.slice(0,h-1)+"…":c}</text>
      <rect class="lane" x=${X} y=${n+21} width=${i-2*X} height=${Bt} rx="3"></rect>
      <rect class="${e.kind} ${e.how??""}" x=${Math.min(s,i-X-3)} y=${n+21} width=${u} height=${Bt} rx="3"></rect>
      ${e.words.map(g=>g.at===void 0?l:T`<circle class="said ${g.yes?"":"no"}" cx=${r(g.at)} cy=${n+21+Bt/2} r="4.5"></circle>`)}`}};function Xi(t){return a`<table>
    <thead>
      <tr><th scope="col">What</th><th scope="col">From</th><th scope="col">To</th><th scope="col">How long</th><th scope="col">What came of it</th></tr>
    </thead>
    <tbody>
      ${t.map(e=>a`<tr>
          <td dir="auto">${Ft(e)}</td>
          <td>${cr(e.from)}</td>
          <td>${e.pending?"goes on":cr(e.to)}</td>
          <td>${e.from!==void 0&&e.to!==void 0?Z(e.from,e.to):""}</td>
          <td dir="auto">${Wt(e)}</td>
        </tr>`)}
    </tbody>
  </table>`}var es=new Intl.DateTimeFormat(void 0,{timeStyle:"medium"});function cr(t){if(t===void 0)return"not known";let e=new Date(t);return`${v(e.toISOString()).replace(/,? [^ ]+$/,"")}, ${es.format(e)}`}var ur={servers:"Servers",rules:"Rules",questions:"Questions",runs:"Runs"},Vt=class extends b{static styles=[x,_,A,E`
      nav {
        display: flex;
        flex-wrap: wrap;
        gap: 0.4rem;
        margin-block-end: 1rem;
      }
      nav a {
        padding: 0.35rem 0.8rem;
        border: 1px solid var(--_line);
        border-radius: 2rem;
        color: var(--_text);
        text-decoration: none;
      }
      nav a[aria-current="page"] {
        border-color: var(--_accent);
        background: var(--_accent);
        color: var(--_accent-text);
      }
    `];static properties={_part:{state:!0}};constructor(){super(),this._part="servers"}connectedCallback(){super.connectedCallback(),window.addEventListener("hashchange",this.#e),this.#e()}disconnectedCallback(){super.disconnectedCallback(),window.removeEventListener("hashchange",this.#e)}#e=()=>{let e=location.hash.split("/")[1]??"";this._part=e in ur?e:"servers"};render(){return a`<nav aria-label="Administration">
        ${Object.entries(ur).map(([e,n])=>a`<a href="#administration/${e}" aria-current=${e===this._part?"page":"false"}>${n}</a>`)}
      </nav>
      ${this.#t()}`}#t(){switch(this._part){case"questions":return a`<parley-admin-questions></parley-admin-questions>`;case"rules":return a`<parley-admin-rules></parley-admin-rules>`;case"runs":return a`<parley-admin-runs></parley-admin-runs>`;default:return a`<parley-admin-servers></parley-admin-servers>`}}};function pr(){customElements.define("parley-admin-servers",ot),customElements.define("parley-admin-rules",it),customElements.define("parley-admin-questions",rt),customElements.define("parley-run-timeline",at),customElements.define("parley-admin-runs",st),customElements.define("parley-inbox-admin",Vt)}var ce=class extends b{static styles=[x,_,A];static properties={user:{}};#e;#t;#n="";#r;firstUpdated(){this.#i()}async#i(){await this.#s(async()=>{let e=m(await k(`${this.path}?${new URLSearchParams({user:this.user})}`));this.#e=$(e?.items).flatMap(n=>[m(n)??{}])})}async#s(e){this.#t=void 0;try{await e()}catch(n){this.#t=n.message}this.requestUpdate()}render(){let e=this.#e;return a`<div class="bar"><h2 tabindex="-1">${this.words.title}</h2></div>
      ${this.#t?a`<p class="problem" role="alert">${this.#t} <button type="button" @click=${()=>{this.#i()}}>Try again</button></p>`:l}
      <div role="status" class="meta">${this.#n}</div>
      ${e?.length===0?a`<p class="empty">${this.words.none}</p>`:l}
      <ul class="things">
        ${e?.map(n=>a`<li class="thing">
            <div class="about">${this.about(n)}</div>
            <div>${this.#a(n)}</div>
          </li>`)}
      </ul>`}#a(e){let n=this.key(e),r=this.called(e),i=s=>()=>{this.#r=s,this.requestUpdate()};return this.#r!==n?a`<button type="button" aria-label="${this.words.take}: ${r}" @click=${i(n)}>${this.words.take}</button>`:a`<button type="button" class="primary" aria-label="${this.words.sure}: ${r}" @click=${()=>{this.#o(e)}}>${this.words.sure}</button>
      <button type="button" class="quiet" @click=${i(void 0)}>Keep</button>`}async#o(e){this.#r=void 0,await this.#s(async()=>{let n=m(await k(this.removal(e),{method:"DELETE"}));this.#n=d(n?.warning)??`Done: ${this.called(e)}.`,await this.#i()}),this.renderRoot.querySelector("h2")?.focus()}};var ts={active:"Connected",expired:"Expired: connect it again",rejected:"Not accepted any more: connect it again",revoked:"Revoked",insufficient_scope:"It may do less than is needed: connect it again"},dt=class extends ce{path="/api/connections";words={title:"Connected accounts",none:"No account of yours is connected. You are asked when one is needed.",take:"Disconnect",sure:"Really disconnect"};key(e){return d(e.server)??""}called(e){return p(this.key(e))}removal(e){return`/api/connections/${encodeURIComponent(this.key(e))}?${new URLSearchParams({scope:"user",owner:this.user})}`}about(e){let n=$(e.scopes).flatMap(s=>d(s)??[]),r=d(e.provider)??d(e.issuer),i=d(e.status)??"";return a`<strong>${this.called(e)}</strong>
      <div class=${i==="active"?"good":"bad"}>${ts[i]??p(i)}</div>
      <div class="meta">Used for calls of ${this.called(e)} on your behalf${r?`, through ${p(r)}`:""}.</div>
      ${n.length>0?a`<div class="meta">It may: ${n.map(p).join(", ")}</div>`:l}
      <div class="meta">Connected ${v(d(e.created_at))}${e.updated_at?` · renewed ${v(d(e.updated_at))}`:l}</div>`}};var lt=class extends b{static styles=[x,_,A];static properties={user:{}};#e=[];#t;#n=!1;#r;firstUpdated(){this.#i()}async#i(){if(!this.#n){this.#n=!0,this.#r=void 0,this.requestUpdate();try{let e=new URLSearchParams({state:"settled",user:this.user,limit:"50",...this.#t&&{cursor:this.#t}}),n=ne(await k(`/api/elicitations?${e}`),location.origin);this.#e=[...this.#e,...n.items],this.#t=n.next}catch(e){this.#r=e.message}this.#n=!1,this.requestUpdate()}}render(){return a`<div class="bar"><h2>What was settled</h2></div>
      ${this.#e.length===0&&!this.#n&&!this.#r&&!this.#t?a`<p class="empty">Nothing was asked of you yet, or it was forgotten.</p>`:l}
      <ul class="things">${this.#e.map(ns)}</ul>
      ${this.#r?a`<p class="problem" role="alert">${this.#r}</p>`:l}
      ${this.#t||this.#r?a`<p><button type="button" @click=${()=>{this.#i()}}>${this.#n?"Reading…":"Show more"}</button></p>`:l}`}};function ns(t){let e=tt(t);return a`<li class="thing">
    <div class="about">
      <strong dir="auto">${H(t)}</strong>
      <div class="clip" dir="auto">${de(t)}</div>
      <div class="meta">Asked ${v(t.createdAt)}${t.asker?` for ${p(t.asker)}`:""} · <a href="/answer/${t.id}">Its page</a></div>
    </div>
    <div>
      <span class=${e.tone}>${e.sentence}</span>
      <div class="meta">${e.where}</div>
    </div>
  </li>`}var rs=4;function Qt({question:t,long:e,others:n},r){if(n)return;let i=t.mode==="form"?oe(t.requestedSchema)?.[0]:void 0;return t.context.trigger==="tool_approval"&&!e&&i?.name==="decision"&&i.options.some(o=>o.value===r)?{action:"accept",content:{decision:r}}:r==="deny"?{action:"decline"}:void 0}var ct=class extends b{static styles=[x,_,A,De];static properties={items:{attribute:!1}};#e=[];#t=new Map;#n="asking";focus(){this.updateComplete.then(()=>this.renderRoot.querySelector("h2")?.focus())}willUpdate(){this.#n==="asking"&&(this.#e=this.items)}render(){let e=this.#e.filter(n=>!Qt(n,"allow_once")).length;return a`<h2 tabindex="-1">${this.#e.length} questions</h2>
      ${e>0&&this.#n==="asking"?a`<p class="muted">${e} of them cannot be allowed from here. They stay open when you allow the others, and are declined, where that is possible, when you deny them all.</p>`:l}
      <div class="bar">${this.#i(e)}</div>
      <div role="status" class="meta">${this.#s()}</div>
      <table>
        <thead>
          <tr><th scope="col">Question</th><th scope="col">What it says</th><th scope="col">Result</th></tr>
        </thead>
        <tbody>
          ${this.#e.map(n=>this.#r(n))}
        </tbody>
      </table>`}#r(e){let n=this.#t.get(e.id),r=e.question.context.trigger==="tool_approval";return a`<tr>
      <td>${H(e)}</td>
      <td class="words" dir="auto">${r?Y(e.question.message):L(e.question.message)}</td>
      <td class=${n?.tone??""}>${n?.text??"Open"}</td>
    </tr>`}#i(e){if(this.#n==="done")return a`<button type="button" class="primary" @click=${()=>this.#l("inbox-done","")}>Back to the list</button>`;let n=this.#n==="sending";return a`<button type="button" id="allow" aria-disabled=${n||e===this.#e.length} @click=${()=>{this.#a("allow_once")}}>
        Allow each once
      </button>
      <button type="button" id="deny" aria-disabled=${n} @click=${()=>{this.#a("deny")}}>Deny each</button>`}#s(){if(this.#n==="asking")return"";let e=[...this.#t.values()].filter(n=>n.tone==="bad").length;return`${this.#t.size} of ${this.#e.length} done${e>0?`, ${e} not as you said`:""}.`}async#a(e){if(this.#n!=="asking"||e==="allow_once"&&!this.#e.some(i=>Qt(i,e)))return;this.#n="sending",this.requestUpdate();let n=[...this.#e],r=async()=>{for(let i=n.shift();i;i=n.shift())await this.#o(i,e)};await Promise.all(Array.from({length:rs},r)),this.#n="done",this.requestUpdate()}async#o(e,n){let r=Qt(e,n);if(!r)this.#t.set(e.id,{tone:"muted",text:"Left open: answer it by itself."});else try{await An(e.id,r.action,r.content),this.#t.set(e.id,{tone:"good",text:n==="allow_once"?"Allowed once.":r.content?"Denied.":"Declined."}),this.#l("inbox-answered",e.id)}catch(i){this.#t.set(e.id,{tone:"bad",text:i.message})}this.requestUpdate()}#l(e,n){this.dispatchEvent(new CustomEvent(e,{detail:n}))}};var ut=class extends ce{path="/api/permissions";words={title:"What you have allowed and refused",none:"Nothing is allowed or refused for good. You are asked each time.",take:"Take back",sure:"Really take back"};key(e){return d(e.id)??""}called(e){let n=d(e.tool),r=p(d(e.server)??"");return n?[p(n),r&&`of ${r}`].join(" ").trim():`every tool of ${r}`}removal(e){return`/api/permissions/${encodeURIComponent(this.key(e))}?${new URLSearchParams({user:this.user})}`}about(e){let n=e.effect==="allow",r=d(e.until),i=d(e.arguments),s=[e.once===!0?"for one call":"",e.session?"in one conversation":"",e.digest?"with these arguments only":"with any arguments",r?`until ${v(r)}`:"until you take it back"].filter(o=>o!=="");return a`<strong><span class=${n?"good":"bad"}>${n?"Allowed":"Refused"}</span>: ${this.called(e)}</strong>
      <div>${s.join(", ")}</div>
      ${i?a`<pre tabindex="0" role="region" aria-label="Arguments of ${this.called(e)}">${je(i)}</pre>`:l}
      <div class="meta">Since ${v(d(e.created_at))} · used ${String(e.uses??0)} times</div>`}};var hr=re(class extends j{constructor(){super(...arguments),this.key=l}render(t,e){return this.key=t,e}update(t,[e,n]){return e!==this.key&&(se(t),this.key=e),n}});var mr=(t,e,n)=>{let r=new Map;for(let i=e;i<=n;i++)r.set(t[i],i);return r},fr=re(class extends j{constructor(t){if(super(t),t.type!==U.CHILD)throw Error("repeat() can only be used in text expressions")}dt(t,e,n){let r;n===void 0?n=e:e!==void 0&&(r=e);let i=[],s=[],o=0;for(let u of t)i[o]=r?r(u,o):o,s[o]=n(u,o),o++;return{values:s,keys:i}}render(t,e,n){return this.dt(t,e,n).values}update(t,[e,n,r]){let i=Mn(t),{values:s,keys:o}=this.dt(e,n,r);if(!Array.isArray(i))return this.ut=o,s;let u=this.ut??=[],c=[],h,g,f=0,w=i.length-1,y=0,S=s.length-1;for(;f<=w&&y<=S;)if(i[f]===null)f++;else if(i[w]===null)w--;else if(u[f]===o[y])c[y]=z(i[f],s[y]),f++,y++;else if(u[w]===o[S])c[S]=z(i[w],s[S]),w--,S--;else if(u[f]===o[S])c[S]=z(i[f],s[S]),ie(t,c[S+1],i[f]),f++,S--;else if(u[w]===o[y])c[y]=z(i[w],s[y]),ie(t,i[f],i[w]),w--,y++;else if(h===void 0&&(h=mr(o,y,S),g=mr(u,f,w)),h.has(u[f]))if(h.has(u[w])){let M=g.get(o[y]),yt=M!==void 0?i[M]:null;if(yt===null){let Gt=ie(t,i[f]);z(Gt,s[y]),c[y]=Gt}else c[y]=z(yt,s[y]),ie(t,i[f],yt),i[M]=null;y++}else We(i[w]),w--;else We(i[f]),f++;for(;y<=S;){let M=ie(t,c[S+1]);z(M,s[y]),c[y++]=M}for(;f<=w;){let M=i[f++];M!==null&&We(M)}return this.ut=o,se(t,c),P}});var pt=class{constructor(e,n,r){this.user=e;this.changed=n;this.settled=r}user;changed;settled;items=[];next;loading=!0;problem;connected=!0;#e;#t=new Set;run(e){return Sn(this.user,{item:n=>this.#r(Fe(n,location.origin)),reload:()=>{this.reload()},connected:n=>{!n&&!this.#e&&this.reload(),n!==this.connected&&(this.connected=n,this.changed())}},e)}async reload(){await this.#e,await(this.#e=this.#i(async()=>{let e=this.items,n=[],r;do{let o=await this.#s(r);n.push(...o.items),r=o.next}while(r&&n.length<e.length);this.items=n,this.next=r;let i=new Set(n.map(o=>o.id)),s=n.at(-1)?.id??"";for(let o of e)!i.has(o.id)&&(!r||o.id>s)&&await this.#n(o.id)}))}async more(){!this.next||this.loading||await(this.#e=this.#i(async()=>{let e=await this.#s(this.next);this.items=gr(this.items,e.items),this.next=e.next}))}async upTo(e){for(await this.#e;this.next&&!this.problem&&this.items.length<e;)await this.more()}remove(e){this.#t.add(e),this.items=this.items.filter(n=>n.id!==e),this.changed()}async#n(e){this.#r(Fe(await k(`/api/elicitations/${encodeURIComponent(e)}`),location.origin))}#r(e){e&&(e.pending?this.items=gr(this.items,this.#t.has(e.id)?[]:[e]):(this.remove(e.id),this.settled(e)),this.changed())}async#i(e){this.loading=!0,this.problem=void 0,this.changed();try{await e()}catch(n){this.problem=n.message}this.loading=!1,this.#e=void 0,this.changed()}async#s(e){let n=new URLSearchParams({state:"pending",user:this.user,limit:"50",...e&&{cursor:e}}),r=ne(await k(`/api/elicitations?${n}`),location.origin);return{...r,items:r.items.filter(i=>!this.#t.has(i.id))}}};function gr(t,e){return[...new Map([...t,...e].map(r=>[r.id,r])).values()].sort((r,i)=>r.id<i.id?1:-1)}var Yt=500,ht=class extends b{static styles=[x,_,A,De];static properties={user:{}};#e;#t;#n;#r="";#i=!1;#s=new Map;#a=!1;#o;#l;#c="";connectedCallback(){super.connectedCallback(),this.addEventListener("keydown",this.#S),this.addEventListener("parley-answered",this.#d),this.addEventListener("parley-hint",()=>{this.#e?.reload()})}disconnectedCallback(){super.disconnectedCallback(),this.removeEventListener("keydown",this.#S),this.removeEventListener("parley-answered",this.#d),this.#t?.abort(),this.#e=void 0}#u(){this.#t=new AbortController;let e=new pt(this.user,()=>this.#m(),n=>this.#p(n));return e.run(this.#t.signal),e}#m(){let{items:e,next:n,loading:r}=this.#e;(!this.#r||!e.some(o=>o.id===this.#r))&&this.#h();let i=e.filter(o=>!o.others).length,s=i===0?"":`${i}${n?"+":""}`;!r&&s!==this.#l&&(this.#l=s,this.dispatchEvent(new CustomEvent("inbox-count",{detail:s}))),this.requestUpdate()}#h(){let e=this.shadowRoot?.activeElement?.classList.contains("row"),{items:n}=this.#e;this.#r=(n.find(r=>r.id<this.#r)??n.at(-1))?.id??"",e&&(this.#o="row")}#p(e){this.#s.delete(e.id),this.#n?.id===e.id?this.#n=e:this.#c=`No longer open: ${H(e)}`}#d=e=>this.#e?.remove(e.detail.elicitationId);render(){let e=this.#e??=this.#u(),n=this.#n!==void 0||this.#a;return a`<div class="panes ${n?"opened":""}">
        <div class="choose">${this.#b(e)} ${this.#f(e)} ${this.#v(e)}</div>
        <section class="detail ${n?"":"none"}" aria-label="Open question">${this.#R(e)}</section>
      </div>
      <div class="hidden" role="status">${this.#c}</div>`}#b({items:e,next:n}){return e.length===0?l:a`<div class="bar">
      <h2>Waiting for you</h2>
      ${this.#i?a`<button type="button" @click=${()=>{this.#_()}}>Choose all${n?`, up to ${Yt}`:""}</button>
            <button type="button" class="primary" aria-disabled=${this.#s.size===0} @click=${this.#T}>Answer ${this.#s.size}…</button>
            <button type="button" class="quiet" @click=${this.#g}>Cancel</button>`:a`<button type="button" @click=${()=>this.#$(()=>this.#i=!0)}>Choose several</button>`}
    </div>`}#f({problem:e,connected:n,loading:r,items:i}){return a`${e?a`<p class="problem" role="alert">${e} <button type="button" @click=${()=>{this.#e?.reload()}}>Try again</button></p>`:l}
      ${n?l:a`<p class="notice" role="status">The connection is lost. Trying again…</p>`}
      ${i.length>0||e?l:r?a`<p class="empty">Looking for questions…</p>`:a`<p class="empty">Nothing waits for you. New questions appear here by themselves.</p>`}`}#v({items:e,next:n,loading:r}){return e.length===0?l:a`<p class="hidden" id="keys">Use j and k or the arrow keys to go from one to the next, Enter to open one, Escape to come back.</p>
      <ul class="list" aria-label="Open questions" aria-describedby="keys" @scroll=${this.#A}>
        ${fr(e,i=>i.id,i=>this.#E(i))}
        ${n?a`<li class="more"><button type="button" @click=${()=>{this.#e?.more()}}>${r?"Reading…":"Show more"}</button></li>`:l}
      </ul>`}#E(e){let n=e.asker?` · for ${p(e.asker)}`:"";return a`<li>
      ${this.#i?a`<label class="pick"><span class="hidden">Choose: ${H(e)}</span
            ><input type="checkbox" .checked=${this.#s.has(e.id)} @change=${()=>this.#C(e)} /></label>`:l}
      <button type="button" class="row" data-id=${e.id} tabindex=${e.id===this.#r?0:-1} aria-current=${e.id===this.#n?.id}
        @focus=${()=>this.#$(()=>this.#r=e.id)} @click=${()=>this.#w(e)}>
        <strong dir="auto">${H(e)}</strong>
        <span class="clip" dir="auto">${de(e)}</span>
        <span class="meta">${v(e.createdAt)}${n}</span>
      </button>
    </li>`}#R(e){let n=a`<button type="button" class="back" @click=${this.#x}>Back to the list</button>`;if(this.#a)return a`${n}<parley-inbox-many .items=${[...this.#s.values()]} @inbox-done=${this.#g}
          @inbox-answered=${o=>e.remove(o.detail)}></parley-inbox-many>`;let r=this.#n;if(!r)return a`<p class="empty keys">${e.items.length===0?l:a`Choose a question: <kbd>j</kbd> <kbd>k</kbd> <kbd>Enter</kbd>`}</p>`;let i=e.items.some(o=>o.id!==r.id),s=!r.pending||!e.items.some(o=>o.id===r.id);return a`${n}
      <p class="meta">Asked ${v(r.createdAt)}${r.asker?a` for <bdi>${p(r.asker)}</bdi>`:l} ·
        <a href="/answer/${r.id}" target="_blank" rel="noopener">Its own page</a></p>
      ${hr(r.id,a`<parley-question .request=${r.request} endpoint="/answer/${r.id}"></parley-question>`)}
      ${s?a`<div class="after">
            ${i?a`<button type="button" class="primary" id="next" @click=${this.#k}>Next question</button>`:a`<p class="muted">Nothing else waits for you.</p>`}
          </div>`:l}`}#$(e){e(),this.requestUpdate()}#w(e){this.#n=e,this.#r=e.id,this.#a=!1,this.#o="question",this.requestUpdate()}#k=()=>{let{items:e}=this.#e,n=e.find(r=>r.id<(this.#n?.id??""))??e[0];n&&this.#w(n)};#x=()=>{this.#n=void 0,this.#a=!1,this.#o="row",this.requestUpdate()};#C(e){this.#s.delete(e.id)||this.#s.set(e.id,e),this.requestUpdate()}async#_(){await this.#e?.upTo(Yt);for(let e of this.#e?.items.slice(0,Yt)??[])this.#s.set(e.id,e);this.requestUpdate()}#T=()=>{this.#s.size!==0&&(this.#a=!0,this.#n=void 0,this.#o="many",this.requestUpdate())};#g=()=>{this.#a&&this.#e?.reload(),this.#i=this.#a=!1,this.#s.clear(),this.#o="row",this.requestUpdate()};#A=e=>{let n=e.currentTarget;n.scrollHeight-n.scrollTop-n.clientHeight<400&&this.#e?.more()};#S=e=>{let n=e.composedPath()[0],r=/^(input|textarea|select)$/i.test(n.tagName)||n.isContentEditable;if(e.ctrlKey||e.metaKey||e.altKey||e.defaultPrevented)return;if(e.key==="Escape"&&(this.#n||this.#a))return e.preventDefault(),this.#x();let i=n.classList.contains("row"),s={j:1,k:-1,...i&&{ArrowDown:1,ArrowUp:-1}}[e.key];r||s===void 0||(e.preventDefault(),this.#y(s,i))};#y(e,n){let{items:r}=this.#e,i=r.findIndex(o=>o.id===this.#r),s=r[Math.max(0,Math.min(r.length-1,n?i+e:i))];s&&(this.#r=s.id,this.#o="row",i+e>=r.length-5&&this.#e?.more(),this.requestUpdate())}async updated(){let e=this.#o;if(this.#o=void 0,e==="row"&&this.renderRoot.querySelector(`.row[data-id="${CSS.escape(this.#r)}"]`)?.focus(),e==="many"&&this.renderRoot.querySelector("parley-inbox-many")?.focus(),e!=="question")return;let n=this.renderRoot.querySelector("parley-question");await n?.updateComplete,n?.focus()}};function Kt(t,e,n){let r=br(t);if(!r||r.protocol!=="https:"&&r.protocol!=="http:"||r.username!==""||r.password!=="")return;let{hostname:i,host:s,href:o,origin:u}=r,c=n&&(i===n||i.endsWith(`.${n}`)),h=c?n:s,g=o.indexOf("//")+2+(c?i.length-n.length:0);return{href:o,before:o.slice(0,g),trust:h,after:o.slice(g+h.length),foreign:u!==br(e)?.origin,insecure:r.protocol==="http:"&&!is(i)}}function br(t){try{return new URL(t??"")}catch{return}}function is(t){return t==="localhost"||t.endsWith(".localhost")||t==="[::1]"||/^127(\.\d+){3}$/.test(t)}var ue=class extends Error{constructor(n,r,i=[]){super(r??`status ${n}`);this.status=n;this.said=r;this.fields=i}status;said;fields;get passing(){return this.status>=500||this.status===408||this.status===425||this.status===429}};async function vr(t,e,n,r){let i=JSON.stringify({conversationId:n,...r}),s=await ss(t,e,{method:"POST",body:i});if(!s.ok)throw await os(s)}async function ss(t,e,n){let r=new Headers({"x-supports-elicitation":"true"});n.body!==void 0&&r.set("content-type","application/json");let i=e.token||await e.getToken?.();return i&&r.set("authorization",`Bearer ${i}`),fetch(t,{...n,headers:r,cache:"no-store",credentials:i?"same-origin":"include"})}async function os(t){let e=m(K(await t.text().catch(()=>""))),n=e?.error,r=[];for(let i of $(e?.fields)){let s=d(m(i)?.message),o=(d(m(i)?.field)??"").replace(/\[\d+\]$/,"");s&&r.push({field:o,message:s})}return new ue(t.status,d(n)??d(m(n)?.message),r)}var ft=class{#e=0;now(){return Date.now()+this.#e}note(e){let n=Date.parse(e.headers.get("date")??"");if(Number.isNaN(n))return;let r=n+500-Date.now();this.#e=Math.abs(r)>2e3?r:0}},Te=1e3,gt=60*Te,mt=60*gt,yr=24*mt;function $r(t){let e=Math.max(0,t);if(e>=2*yr)return`${Math.floor(e/yr)} d`;if(e>=mt)return`${Math.floor(e/mt)} h ${Math.floor(e%mt/gt)} min`;let n=Math.ceil(e/Te);return`${Math.floor(n/60)}:${String(n%60).padStart(2,"0")}`}var as=[5*gt,gt,30*Te,10*Te];function wr(t,e){let n=as.filter(r=>t>r&&e<=r);return n.length>0&&e>0?Math.min(...n)/Te:void 0}var bt=class{constructor(e,n,r){this.host=e;this.say=n;this.over=r;e.addController(this)}host;say;over;left;#e=Number.NaN;#t;#n;#r=!1;start(e,n){this.#e=Date.parse(e??""),this.#t=n;let r=this.#e-n.now();this.left=r>0?r:void 0,this.#i()}stop(){this.left=void 0,this.#i()}hostConnected(){this.#r=!0,this.#i()}hostDisconnected(){this.#r=!1,this.#i()}#i(){clearInterval(this.#n),this.#r&&this.left!==void 0&&(this.#n=setInterval(()=>this.#s(),1e3))}#s(){let e=this.left??0;this.left=Math.max(0,this.#e-this.#t.now());let n=wr(e,this.left);n!==void 0&&this.say(n),this.left===0&&(this.stop(),this.over()),this.host.requestUpdate()}};function kr(t){let e=Math.min(560,screen.availWidth),n=Math.min(760,screen.availHeight),r=Math.round(window.screenX+(window.outerWidth-e)/2),i=Math.round(window.screenY+(window.outerHeight-n)/2),s=window.open(t,"parley-connect",`popup,width=${e},height=${n},left=${r},top=${i}`);return!s||s.closed?!1:(s.focus(),!0)}var xr=E`
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
`;var ds=6e4,vt=class extends b{static styles=[x,_,xr];static properties={request:{attribute:!1},endpoint:{},base:{},conversation:{},token:{attribute:!1},getToken:{attribute:!1},strings:{attribute:!1},theme:{reflect:!0},clock:{attribute:!1}};#e;#t;#n={};#r=Object.create(null);#i;#s="ready";#a;#o={answered:!1,watched:!1};#l="";#c;#u=new bt(this,e=>this.#l=this.#d("secondsLeft",{n:e,service:this.#b()}),()=>this.#p({action:"expire"}));constructor(){super(),this.clock=new ft}get pending(){return this.#e!==void 0&&!this.#e.outcome&&!this.#a}focus(e){this.renderRoot.querySelector("#outcome, #title")?.focus(e)}refuse(e,n=[]){this.#A("ready"),this.#i=[e,...this.#T(n)].join(" "),this.requestUpdate()}connectedCallback(){super.connectedCallback(),window.addEventListener("message",this.#k)}disconnectedCallback(){super.disconnectedCallback(),window.removeEventListener("message",this.#k)}willUpdate(e){e.has("request")&&this.#m(Je(this.request))}#m(e){let n=e?.elicitationId!==this.#e?.elicitationId;this.#e=e,n&&(this.#t=e?.mode==="form"?oe(e.requestedSchema,e.fieldOrder):void 0,this.#n=Ln(this.#t??[]),this.#r=Object.create(null),this.#i=this.#a=void 0,this.#s="ready",this.#o={answered:!1,watched:!1},this.#u.start(e?.expiresAt,this.clock)),this.pending?this.#o.watched=!0:this.#h()}#h(){this.#u.stop(),this.shadowRoot?.activeElement&&(this.#c="outcome")}#p(e){this.#a=e,this.#h(),this.requestUpdate()}get#d(){return et(this.strings)}#b(){return Ne(He(this.#e)||this.#d("someone"))}#f(){return new URL(this.base||this.endpoint||location.origin,document.baseURI).href}#v(){let e=this.#e;if(e.context.trigger==="approvers")return"waiting";if(e.mode==="url")return"connect";if(!this.#t)return"unsupported";let[n,...r]=this.#t;return e.context.trigger==="tool_approval"&&n?.name==="decision"&&n.kind==="choice"&&!r.some(s=>s.required||s.kind!=="choice"&&!(s.kind==="string"&&s.name==="reason"))?"approval":"form"}render(){if(!this.#e)return l;let e=this.#R(this.#e),n=this.#E();return a`${n?Fn(e,n):Hn(e,this.#$())}
      <div class="hidden" role="status">${n&&this.#o.watched?n.sentence:this.#l}</div>
      <div class="hidden" role="alert">${n?l:this.#i}</div>`}#E(){let e=this.#e.outcome??this.#a;return e==="elsewhere"?{tone:"neutral",sentence:this.#d("answerSettled")}:e&&Ze(this.#e,e,this.#o,this.#d)}#R(e){let n=this.#f();return{kind:this.#v(),question:e,service:this.#b(),phase:this.#s,problem:this.#i,address:e.mode==="url"?Kt(e.url,n,e.context.domain):void 0,hosted:new URL(`answer/${encodeURIComponent(e.elicitationId)}`,new URL("/",n)).href,fields:this.#t??[],entries:this.#n,errors:this.#r,say:this.#d,open:this.#w,submit:this.#x,decline:()=>{this.#g("decline")},decide:r=>this.#C(r),enter:(r,i)=>{this.#n={...this.#n,[r]:i},delete this.#r[r],this.requestUpdate()}}}#$(){let{left:e}=this.#u;if(e===void 0)return l;let n=new Date(this.#e?.expiresAt??"").toLocaleString(this.lang||void 0);return a`<span class="timer ${e<=ds?"soon":""}" role="timer" aria-live="off"
      title=${this.#d("expiresAt",{time:n})}>${R.clock}${this.#d("expiresIn",{time:$r(e)})}</span>`}#w=e=>{let{url:n,context:r}=this.#e,i=Kt(n,this.#f());if(!i)return e.preventDefault();this.#i=void 0,this.#s=i.foreign||kr(i.href)?"opened":"blocked",this.requestUpdate(),i.foreign&&r.trigger==="mcp_elicitation"&&r.settledBy!=="page"&&this.#g("accept")};#k=e=>{let n=e.data;!this.pending||n?.type!=="parley:settled"||n.elicitationId!==this.#e?.elicitationId||e.origin===new URL(this.#f()).origin&&(this.#s="confirming",this.requestUpdate(),this.#y("parley-hint",{elicitationId:n.elicitationId}))};#x=e=>{e.preventDefault();let{content:n,errors:r}=Ve(this.#t??[],this.#n,this.#d);this.#r=r,Object.keys(r).length>0?this.#_():this.#g("accept",n)};#C(e){let[n,...r]=this.#t??[],{content:i}=Ve(r.filter(h=>h.kind==="choice"),this.#n,this.#d),s=e==="always_allow";if(e==="allow_once"&&Object.keys(i).length>0){let h=n?.options.find(g=>g.value==="always_allow")?.label??this.#d("always_allow");return this.#i=this.#d("limitsUnused",{always:p(h)}),this.requestUpdate()}let o=s||e==="allow_once",{content:u}=Ve(r.filter(h=>h.kind==="string"),this.#n,this.#d),c={...s&&i,...!o&&u,decision:e};this.#g("accept",c,jt(this.#t??[],c))}#_(){this.#i=this.#d("answerInvalid");let e=this.#t?.findIndex(n=>n.name in this.#r)??-1;e>=0&&(this.#c=jn({id:`field-${e}`,field:this.#t[e]})),this.requestUpdate()}#T(e){let n=[];for(let{field:r,message:i}of e)this.#t?.some(s=>s.name===r)?this.#r[r]=i:n.push(i);return n}async#g(e,n,r){if(this.#s==="sending"||!this.pending)return;let{elicitationId:i}=this.#e,s={elicitationId:i,action:e,...n&&{content:n}},o=this.#s;if(this.#s="sending",this.#i=void 0,this.#o={answered:!0,watched:!0,decision:this.#v()==="approval"?String(n?.decision):void 0,chosen:r},this.requestUpdate(),!this.#y("parley-answer",s)||!this.endpoint)return;let u=()=>this.#e?.elicitationId===i;try{await vr(this.endpoint,{base:"",token:this.token,getToken:this.getToken},this.conversation??"",s)}catch(c){u()&&this.#S(c,o);return}u()&&this.#p({action:e}),this.#y("parley-answered",s)}#A(e){this.#s=e,this.#o={answered:!1,watched:!0}}#S(e,n){this.#A(n);let r=e instanceof ue?e.status:0;if(e instanceof ue&&r===400){let i=this.#T(e.fields);this.#_(),(i.length>0||e.fields.length===0)&&(this.#i=i.join(" ")||e.said||this.#d("answerFailed"))}else r===409?this.#p("elsewhere"):r===410?this.#p({action:"expire"}):r===401?this.#i=this.#d("answerSignedOut"):r===403||r===404?this.#i=this.#d("answerForbidden"):this.#i=this.#d(r===0?"answerUnreachable":"answerFailed");this.requestUpdate(),this.#y("parley-refused",{elicitationId:this.#e.elicitationId,status:r})}#y(e,n){return this.dispatchEvent(new CustomEvent(e,{bubbles:!0,composed:!0,cancelable:e==="parley-answer",detail:n}))}updated(){let e=this.#c;this.#c=void 0,e&&this.renderRoot.querySelector(`#${e}`)?.focus()}};customElements.define("parley-question",vt);customElements.define("parley-inbox-many",ct);customElements.define("parley-inbox-questions",ht);customElements.define("parley-inbox-history",lt);customElements.define("parley-inbox-connections",dt);customElements.define("parley-inbox-permissions",ut);pr();customElements.define("parley-inbox",ze);
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
