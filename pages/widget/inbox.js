var _e=globalThis,Te=_e.ShadowRoot&&(_e.ShadyCSS===void 0||_e.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,yt=Symbol(),Kt=new WeakMap,de=class{constructor(e,n,i){if(this._$cssResult$=!0,i!==yt)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=e,this.t=n}get styleSheet(){let e=this.o,n=this.t;if(Te&&e===void 0){let i=n!==void 0&&n.length===1;i&&(e=Kt.get(n)),e===void 0&&((this.o=e=new CSSStyleSheet).replaceSync(this.cssText),i&&Kt.set(n,e))}return e}toString(){return this.cssText}},Gt=t=>new de(typeof t=="string"?t:t+"",void 0,yt),S=(t,...e)=>{let n=t.length===1?t[0]:e.reduce((i,s,r)=>i+(o=>{if(o._$cssResult$===!0)return o.cssText;if(typeof o=="number")return o;throw Error("Value passed to 'css' function must be a 'css' function result: "+o+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(s)+t[r+1],t[0]);return new de(n,t,yt)},Zt=(t,e)=>{if(Te)t.adoptedStyleSheets=e.map(n=>n instanceof CSSStyleSheet?n:n.styleSheet);else for(let n of e){let i=document.createElement("style"),s=_e.litNonce;s!==void 0&&i.setAttribute("nonce",s),i.textContent=n.cssText,t.appendChild(i)}},vt=Te?t=>t:t=>t instanceof CSSStyleSheet?(e=>{let n="";for(let i of e.cssRules)n+=i.cssText;return Gt(n)})(t):t;var{is:pi,defineProperty:fi,getOwnPropertyDescriptor:mi,getOwnPropertyNames:gi,getOwnPropertySymbols:bi,getPrototypeOf:yi}=Object,Ae=globalThis,Xt=Ae.trustedTypes,vi=Xt?Xt.emptyScript:"",wi=Ae.reactiveElementPolyfillSupport,le=(t,e)=>t,wt={toAttribute(t,e){switch(e){case Boolean:t=t?vi:null;break;case Object:case Array:t=t==null?t:JSON.stringify(t)}return t},fromAttribute(t,e){let n=t;switch(e){case Boolean:n=t!==null;break;case Number:n=t===null?null:Number(t);break;case Object:case Array:try{n=JSON.parse(t)}catch{n=null}}return n}},tn=(t,e)=>!pi(t,e),en={attribute:!0,type:String,converter:wt,reflect:!1,useDefault:!1,hasChanged:tn};Symbol.metadata??=Symbol("metadata"),Ae.litPropertyMetadata??=new WeakMap;var O=class extends HTMLElement{static addInitializer(e){this._$Ei(),(this.l??=[]).push(e)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(e,n=en){if(n.state&&(n.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(e)&&((n=Object.create(n)).wrapped=!0),this.elementProperties.set(e,n),!n.noAccessor){let i=Symbol(),s=this.getPropertyDescriptor(e,i,n);s!==void 0&&fi(this.prototype,e,s)}}static getPropertyDescriptor(e,n,i){let{get:s,set:r}=mi(this.prototype,e)??{get(){return this[n]},set(o){this[n]=o}};return{get:s,set(o){let l=s?.call(this);r?.call(this,o),this.requestUpdate(e,l,i)},configurable:!0,enumerable:!0}}static getPropertyOptions(e){return this.elementProperties.get(e)??en}static _$Ei(){if(this.hasOwnProperty(le("elementProperties")))return;let e=yi(this);e.finalize(),e.l!==void 0&&(this.l=[...e.l]),this.elementProperties=new Map(e.elementProperties)}static finalize(){if(this.hasOwnProperty(le("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(le("properties"))){let n=this.properties,i=[...gi(n),...bi(n)];for(let s of i)this.createProperty(s,n[s])}let e=this[Symbol.metadata];if(e!==null){let n=litPropertyMetadata.get(e);if(n!==void 0)for(let[i,s]of n)this.elementProperties.set(i,s)}this._$Eh=new Map;for(let[n,i]of this.elementProperties){let s=this._$Eu(n,i);s!==void 0&&this._$Eh.set(s,n)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(e){let n=[];if(Array.isArray(e)){let i=new Set(e.flat(1/0).reverse());for(let s of i)n.unshift(vt(s))}else e!==void 0&&n.push(vt(e));return n}static _$Eu(e,n){let i=n.attribute;return i===!1?void 0:typeof i=="string"?i:typeof e=="string"?e.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(e=>this.enableUpdating=e),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(e=>e(this))}addController(e){(this._$EO??=new Set).add(e),this.renderRoot!==void 0&&this.isConnected&&e.hostConnected?.()}removeController(e){this._$EO?.delete(e)}_$E_(){let e=new Map,n=this.constructor.elementProperties;for(let i of n.keys())this.hasOwnProperty(i)&&(e.set(i,this[i]),delete this[i]);e.size>0&&(this._$Ep=e)}createRenderRoot(){let e=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return Zt(e,this.constructor.elementStyles),e}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(e=>e.hostConnected?.())}enableUpdating(e){}disconnectedCallback(){this._$EO?.forEach(e=>e.hostDisconnected?.())}attributeChangedCallback(e,n,i){this._$AK(e,i)}_$ET(e,n){let i=this.constructor.elementProperties.get(e),s=this.constructor._$Eu(e,i);if(s!==void 0&&i.reflect===!0){let r=(i.converter?.toAttribute!==void 0?i.converter:wt).toAttribute(n,i.type);this._$Em=e,r==null?this.removeAttribute(s):this.setAttribute(s,r),this._$Em=null}}_$AK(e,n){let i=this.constructor,s=i._$Eh.get(e);if(s!==void 0&&this._$Em!==s){let r=i.getPropertyOptions(s),o=typeof r.converter=="function"?{fromAttribute:r.converter}:r.converter?.fromAttribute!==void 0?r.converter:wt;this._$Em=s;let l=o.fromAttribute(n,r.type);this[s]=l??this._$Ej?.get(s)??l,this._$Em=null}}requestUpdate(e,n,i,s=!1,r){if(e!==void 0){let o=this.constructor;if(s===!1&&(r=this[e]),i??=o.getPropertyOptions(e),!((i.hasChanged??tn)(r,n)||i.useDefault&&i.reflect&&r===this._$Ej?.get(e)&&!this.hasAttribute(o._$Eu(e,i))))return;this.C(e,n,i)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(e,n,{useDefault:i,reflect:s,wrapped:r},o){i&&!(this._$Ej??=new Map).has(e)&&(this._$Ej.set(e,o??n??this[e]),r!==!0||o!==void 0)||(this._$AL.has(e)||(this.hasUpdated||i||(n=void 0),this._$AL.set(e,n)),s===!0&&this._$Em!==e&&(this._$Eq??=new Set).add(e))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(n){Promise.reject(n)}let e=this.scheduleUpdate();return e!=null&&await e,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[s,r]of this._$Ep)this[s]=r;this._$Ep=void 0}let i=this.constructor.elementProperties;if(i.size>0)for(let[s,r]of i){let{wrapped:o}=r,l=this[s];o!==!0||this._$AL.has(s)||l===void 0||this.C(s,void 0,r,l)}}let e=!1,n=this._$AL;try{e=this.shouldUpdate(n),e?(this.willUpdate(n),this._$EO?.forEach(i=>i.hostUpdate?.()),this.update(n)):this._$EM()}catch(i){throw e=!1,this._$EM(),i}e&&this._$AE(n)}willUpdate(e){}_$AE(e){this._$EO?.forEach(n=>n.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(e)),this.updated(e)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(e){return!0}update(e){this._$Eq&&=this._$Eq.forEach(n=>this._$ET(n,this[n])),this._$EM()}updated(e){}firstUpdated(e){}};O.elementStyles=[],O.shadowRootOptions={mode:"open"},O[le("elementProperties")]=new Map,O[le("finalized")]=new Map,wi?.({ReactiveElement:O}),(Ae.reactiveElementVersions??=[]).push("2.1.2");var kt=globalThis,nn=t=>t,Se=kt.trustedTypes,sn=Se?Se.createPolicy("lit-html",{createHTML:t=>t}):void 0,xt="$lit$",L=`lit$${Math.random().toFixed(9).slice(2)}$`,_t="?"+L,$i=`<${_t}>`,Q=document,ue=()=>Q.createComment(""),he=t=>t===null||typeof t!="object"&&typeof t!="function",Tt=Array.isArray,cn=t=>Tt(t)||typeof t?.[Symbol.iterator]=="function",$t=`[ 	
\f\r]`,ce=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,rn=/-->/g,on=/>/g,V=RegExp(`>|${$t}(?:([^\\s"'>=/]+)(${$t}*=${$t}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),an=/'/g,dn=/"/g,un=/^(?:script|style|textarea|title)$/i,At=t=>(e,...n)=>({_$litType$:t,strings:e,values:n}),a=At(1),E=At(2),Gs=At(3),M=Symbol.for("lit-noChange"),d=Symbol.for("lit-nothing"),ln=new WeakMap,B=Q.createTreeWalker(Q,129);function hn(t,e){if(!Tt(t)||!t.hasOwnProperty("raw"))throw Error("invalid template strings array");return sn!==void 0?sn.createHTML(e):e}var pn=(t,e)=>{let n=t.length-1,i=[],s,r=e===2?"<svg>":e===3?"<math>":"",o=ce;for(let l=0;l<n;l++){let c=t[l],h,g,p=-1,v=0;for(;v<c.length&&(o.lastIndex=v,g=o.exec(c),g!==null);)v=o.lastIndex,o===ce?g[1]==="!--"?o=rn:g[1]!==void 0?o=on:g[2]!==void 0?(un.test(g[2])&&(s=RegExp("</"+g[2],"g")),o=V):g[3]!==void 0&&(o=V):o===V?g[0]===">"?(o=s??ce,p=-1):g[1]===void 0?p=-2:(p=o.lastIndex-g[2].length,h=g[1],o=g[3]===void 0?V:g[3]==='"'?dn:an):o===dn||o===an?o=V:o===rn||o===on?o=ce:(o=V,s=void 0);let b=o===V&&t[l+1].startsWith("/>")?" ":"";r+=o===ce?c+$i:p>=0?(i.push(h),c.slice(0,p)+xt+c.slice(p)+L+b):c+L+(p===-2?l:b)}return[hn(t,r+(t[n]||"<?>")+(e===2?"</svg>":e===3?"</math>":"")),i]},pe=class t{constructor({strings:e,_$litType$:n},i){let s;this.parts=[];let r=0,o=0,l=e.length-1,c=this.parts,[h,g]=pn(e,n);if(this.el=t.createElement(h,i),B.currentNode=this.el.content,n===2||n===3){let p=this.el.content.firstChild;p.replaceWith(...p.childNodes)}for(;(s=B.nextNode())!==null&&c.length<l;){if(s.nodeType===1){if(s.hasAttributes())for(let p of s.getAttributeNames())if(p.endsWith(xt)){let v=g[o++],b=s.getAttribute(p).split(L),T=/([.?@])?(.*)/.exec(v);c.push({type:1,index:r,name:T[2],strings:b,ctor:T[1]==="."?Ce:T[1]==="?"?Re:T[1]==="@"?Pe:K}),s.removeAttribute(p)}else p.startsWith(L)&&(c.push({type:6,index:r}),s.removeAttribute(p));if(un.test(s.tagName)){let p=s.textContent.split(L),v=p.length-1;if(v>0){s.textContent=Se?Se.emptyScript:"";for(let b=0;b<v;b++)s.append(p[b],ue()),B.nextNode(),c.push({type:2,index:++r});s.append(p[v],ue())}}}else if(s.nodeType===8)if(s.data===_t)c.push({type:2,index:r});else{let p=-1;for(;(p=s.data.indexOf(L,p+1))!==-1;)c.push({type:7,index:r}),p+=L.length-1}r++}}static createElement(e,n){let i=Q.createElement("template");return i.innerHTML=e,i}};function Y(t,e,n=t,i){if(e===M)return e;let s=i!==void 0?n._$Co?.[i]:n._$Cl,r=he(e)?void 0:e._$litDirective$;return s?.constructor!==r&&(s?._$AO?.(!1),r===void 0?s=void 0:(s=new r(t),s._$AT(t,n,i)),i!==void 0?(n._$Co??=[])[i]=s:n._$Cl=s),s!==void 0&&(e=Y(t,s._$AS(t,e.values),s,i)),e}var Ee=class{constructor(e,n){this._$AV=[],this._$AN=void 0,this._$AD=e,this._$AM=n}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(e){let{el:{content:n},parts:i}=this._$AD,s=(e?.creationScope??Q).importNode(n,!0);B.currentNode=s;let r=B.nextNode(),o=0,l=0,c=i[0];for(;c!==void 0;){if(o===c.index){let h;c.type===2?h=new X(r,r.nextSibling,this,e):c.type===1?h=new c.ctor(r,c.name,c.strings,this,e):c.type===6&&(h=new Me(r,this,e)),this._$AV.push(h),c=i[++l]}o!==c?.index&&(r=B.nextNode(),o++)}return B.currentNode=Q,s}p(e){let n=0;for(let i of this._$AV)i!==void 0&&(i.strings!==void 0?(i._$AI(e,i,n),n+=i.strings.length-2):i._$AI(e[n])),n++}},X=class t{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(e,n,i,s){this.type=2,this._$AH=d,this._$AN=void 0,this._$AA=e,this._$AB=n,this._$AM=i,this.options=s,this._$Cv=s?.isConnected??!0}get parentNode(){let e=this._$AA.parentNode,n=this._$AM;return n!==void 0&&e?.nodeType===11&&(e=n.parentNode),e}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(e,n=this){e=Y(this,e,n),he(e)?e===d||e==null||e===""?(this._$AH!==d&&this._$AR(),this._$AH=d):e!==this._$AH&&e!==M&&this._(e):e._$litType$!==void 0?this.$(e):e.nodeType!==void 0?this.T(e):cn(e)?this.k(e):this._(e)}O(e){return this._$AA.parentNode.insertBefore(e,this._$AB)}T(e){this._$AH!==e&&(this._$AR(),this._$AH=this.O(e))}_(e){this._$AH!==d&&he(this._$AH)?this._$AA.nextSibling.data=e:this.T(Q.createTextNode(e)),this._$AH=e}$(e){let{values:n,_$litType$:i}=e,s=typeof i=="number"?this._$AC(e):(i.el===void 0&&(i.el=pe.createElement(hn(i.h,i.h[0]),this.options)),i);if(this._$AH?._$AD===s)this._$AH.p(n);else{let r=new Ee(s,this),o=r.u(this.options);r.p(n),this.T(o),this._$AH=r}}_$AC(e){let n=ln.get(e.strings);return n===void 0&&ln.set(e.strings,n=new pe(e)),n}k(e){Tt(this._$AH)||(this._$AH=[],this._$AR());let n=this._$AH,i,s=0;for(let r of e)s===n.length?n.push(i=new t(this.O(ue()),this.O(ue()),this,this.options)):i=n[s],i._$AI(r),s++;s<n.length&&(this._$AR(i&&i._$AB.nextSibling,s),n.length=s)}_$AR(e=this._$AA.nextSibling,n){for(this._$AP?.(!1,!0,n);e!==this._$AB;){let i=nn(e).nextSibling;nn(e).remove(),e=i}}setConnected(e){this._$AM===void 0&&(this._$Cv=e,this._$AP?.(e))}},K=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(e,n,i,s,r){this.type=1,this._$AH=d,this._$AN=void 0,this.element=e,this.name=n,this._$AM=s,this.options=r,i.length>2||i[0]!==""||i[1]!==""?(this._$AH=Array(i.length-1).fill(new String),this.strings=i):this._$AH=d}_$AI(e,n=this,i,s){let r=this.strings,o=!1;if(r===void 0)e=Y(this,e,n,0),o=!he(e)||e!==this._$AH&&e!==M,o&&(this._$AH=e);else{let l=e,c,h;for(e=r[0],c=0;c<r.length-1;c++)h=Y(this,l[i+c],n,c),h===M&&(h=this._$AH[c]),o||=!he(h)||h!==this._$AH[c],h===d?e=d:e!==d&&(e+=(h??"")+r[c+1]),this._$AH[c]=h}o&&!s&&this.j(e)}j(e){e===d?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,e??"")}},Ce=class extends K{constructor(){super(...arguments),this.type=3}j(e){this.element[this.name]=e===d?void 0:e}},Re=class extends K{constructor(){super(...arguments),this.type=4}j(e){this.element.toggleAttribute(this.name,!!e&&e!==d)}},Pe=class extends K{constructor(e,n,i,s,r){super(e,n,i,s,r),this.type=5}_$AI(e,n=this){if((e=Y(this,e,n,0)??d)===M)return;let i=this._$AH,s=e===d&&i!==d||e.capture!==i.capture||e.once!==i.once||e.passive!==i.passive,r=e!==d&&(i===d||s);s&&this.element.removeEventListener(this.name,this,i),r&&this.element.addEventListener(this.name,this,e),this._$AH=e}handleEvent(e){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,e):this._$AH.handleEvent(e)}},Me=class{constructor(e,n,i){this.element=e,this.type=6,this._$AN=void 0,this._$AM=n,this.options=i}get _$AU(){return this._$AM._$AU}_$AI(e){Y(this,e)}},fn={M:xt,P:L,A:_t,C:1,L:pn,R:Ee,D:cn,V:Y,I:X,H:K,N:Re,U:Pe,B:Ce,F:Me},ki=kt.litHtmlPolyfillSupport;ki?.(pe,X),(kt.litHtmlVersions??=[]).push("3.3.3");var mn=(t,e,n)=>{let i=n?.renderBefore??e,s=i._$litPart$;if(s===void 0){let r=n?.renderBefore??null;i._$litPart$=s=new X(e.insertBefore(ue(),r),r,void 0,n??{})}return s._$AI(t),s};var St=globalThis,y=class extends O{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let e=super.createRenderRoot();return this.renderOptions.renderBefore??=e.firstChild,e}update(e){let n=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(e),this._$Do=mn(n,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return M}};y._$litElement$=!0,y.finalized=!0,St.litElementHydrateSupport?.({LitElement:y});var xi=St.litElementPolyfillSupport;xi?.({LitElement:y});(St.litElementVersions??=[]).push("4.2.2");var gn="0 w 2n y c 1 ip 1 14 2 6 4 7 1 1 1 k 1 b1 1 12 2 1e 2 3 1 1j 8 r 4 6 h m 1 5c 1 1c 2 1n 2 2t e 1n 2 1d 2 f 1 s 2 1 1 b 5 v 9 22 1 4h 1 8 2 2 2 m 1 7 1 1 3 4 2 9 2 2 2 4 8 1 4 2 1 5 2 p 2 3 1 6 4 2 2 m 1 7 1 2 1 2 1 2 2 1 1 5 4 2 2 3 3 1 7 4 1 1 7 h a 3 1 9 1 3 1 m 1 7 1 2 1 5 2 a 1 3 1 3 2 1 f 4 2 c 7 7 1 3 1 8 2 2 2 m 1 7 1 2 1 5 2 9 2 2 2 3 7 3 4 2 1 5 2 i a 2 1 6 3 3 1 4 3 2 1 1 1 2 3 2 3 3 3 c 4 5 3 3 1 4 2 1 6 1 e l 5 d 1 3 1 n 1 g 2 9 1 3 1 4 7 2 1 3 2 1 2 4 2 a 7 m 1 3 1 n 1 a 1 5 2 9 1 3 1 4 7 2 6 2 1 4 2 a 1 3 c d 1 3 1 1f 1 3 1 6 4 g 2 q 1 3 1 i 3 o 1 9 1 1 2 7 3 1 4 6 1 1 1 8 6 a 2 3 c 1m 4 t 11 2 1 1 1 5 1 o 1 1 1 n 2 5 1 1 1 7 1 a 2 4 w 20 1 10 4 13 1 10 1 f 1 d 11 5i 1 1 5 1 2 3z 2 6g 1 4 2 7 1 1 1 4 2 15 1 4 2 x 1 4 2 7 1 1 1 4 2 f 1 1l 1 4 2 1v 2 w 3 q 6 2e 2 6 2 hs 1 s 3 2h 7 m 9 o 9 k c d 1 3 1 2 c 1g 2 14 2 a 6 a 6 b 5 a 6 2h 7 17 5 1y a v 1 c 4 c 4 1 3 16 2 5 b 18 4 q 6 b 3 1q 2 1t 1 t 2 b 6 a 6 e 2 v 1d 25 3 1b 1 38 8 1o 3 f 3 1o 7 17 2 b 8 17 5 eu 2 6 2 12 2 6 2 8 1 1 1 1 1 1 1 v 2 1h 1 f 1 e 2 6 1 j 2 3 1 9 h o 8 1b h 2 2 r 1 d 3 x f x f 3w 4 if p b l ps 1 oj 2 w 1 9p 5 19 1 1 5 1 2 1k 7 2 e o 9 7 1 7 1 7 1 7 1 7 1 7 1 7 1 7 1 3i y q 1 2h c 5y q c 5 1q 2 2e 2 2v 5 17 1 1f 1 16 1 2c c 1b 1 mlp 3 1j 9 9o k 54 8 5n 5 2 1 1 1 5 o 1n 3 a 6 1k 8 1y 8 c 6 38 b u 3 26 1 b 4 x 1 1j 9 e 2 a 2 2v o s a 6 2 6 2 6 9 7 1 7 1 1o 4 3i 2 a 6 8mc c n 4 1d 6is a6 2 2y 12 7 c 5 5 q 1 5 1 1 1 2 1 2 1 3h g cd 2 1i 7 1 w g g a 6 1f 1 j 1 4 4 5 1 3r 4 4f 1 u 3 6 2 6 2 6 2 3 3 7 1 7 e 1 2 c 1 q 1 j 1 2 1 f 2 e y 3f 5 3 4 19 3 2g 1 d 3 1 1b 1a 3m t 3 1d f s 4 10 9 u 5 17 5 u 1 11 4 e 16 4e 2 a 6 10 4 10 4 14 8 1g b c 1 f 1 7 1 2 1 b 1 f 1 7 1 2 1v 8n 9 m a 8 o 6 1 16 1 9 1x 6 2 1 1 18 1 2 3 1 2 n 1 20 8 9 1c j 1 2 5 x 3 r 5 1 1s 1k 4 k 2 1e 1 2 5 8 1 3 1 t 2 3 4 a 7 9 7 1s w 13 4 c 9 1i 3 t 2 r 5 q 7 4 c 7 28 21 1j 1f d 1f 7 1a 8 a 86 v 1 16 1 3 2 2 23 17 8 16 m q 12 s k n 9 26 4 10 9 1q 1 5 d p 7 a 6 1h 1 i 8 13 9 2o 1 k b i 1 1b 1q 7 1 1 1 4 1 f 1 b 6 1n 5 a 6 4 1 8 2 2 2 m 1 7 1 2 1 5 1 a 2 2 2 3 2 1 6 1 5 7 2 7 3 5 3v 2k 1 5 u 20 8 a 4m 1i 2 12 y 1x b a 6 d j 1m 6 a 1i r 2 f 4 n 55 1o 2s 2b c 8 2 1 2 8 1 2 1 u 1 2 2 c 9 a 1y 8 2 1a 2 b r 20 8 2b d 21 7 a 6u 9 1 19 1 e a t 3 w 2 m 1 e 21 7 1 2 1 18 3 1 1 2 1 9 8 a 6 6 1 2 1 11 1 2 1 6 7 a 8m p 7 h 1 15 3 s 2e 1 f 1e d pn 2u 33 1 5 b 5g 218 2r d ts g 1 2 j 33e g7 6nt ft 7 v 1 a 4 29 1 a 6 u 2 6 a 1y a a 1 7 1 l 5 j j4 2j 2t 23 4 1l 7 h 1s 4 c 2 e 4qg 8 ye 16 9 6w7 4 1 7 1 2 1 83 f 1 t 3 2 1 e 4 8 b0 1s4 2z 5 d 3 9 7 a 2 4 3mo 1a 2 n 9 38 1o 6u a 13 2 1c 1 p 8 34 l 1y 3e k c k c 2f 9 p 3r 2d 1 1z 1 2 2 1 2 2 2 4 1 c 1 1 1 7 1 1t 1 4 2 8 1 7 1 s 1 4 1 5 1 1 3 7 1 9g 2 84 2 ji f 5 1 f uo v 6 6 5x 7 1 h 2 7 1 2 1 5 5 1q x 1 34 19 3 e 2 a 4 2 8w v h 1m 5 1 cw 16 km 7 1 4 1 2 1 f 1 5h 2 g 15 24 4 a 4 2 lt 1w 24 1p 5e 4 1 r 1 2 1 1 2 1 1 a 1 4 1 1 1 1 6 1 4 1 1 1 1 1 1 3 1 2 1 1 2 1 1 1 1 1 1 1 1 1 1 2 1 1 2 4 1 7 1 4 1 4 1 1 1 a 1 h 5 3 1 5 1 h 1g 2 7i 18 4 2s c f 2 f 1 f 1 11 a 4u 1k t d 18 4 9 7 2 e 6 4a rc 4 h 3 d 3 3b 4 2n 6 c 4 1 f c 4 1k 8 a 6 14 8 u 2 2 26 9g c e 2 d 3 9 7 1a 1 7 8 e 4 9 7 9 7 43 1 1j 11 a sm wyo w 37e 6 66 2 4g2 e 5rl 2e7 f2 15u 3t7 5 38g jgwg";var qe;function Oe(t){if(!qe){let i=0;qe=gn.split(" ").map(s=>i+=parseInt(s,36))}let[e,n]=[0,qe.length];for(;e<n;){let i=e+n>>1;qe[i]<=t?e=i+1:n=i}return e%2===1}function _i(t){return Oe(t)&&!/[\p{Zs}\u200c\u200d\ufe0e\ufe0f]/u.test(String.fromCodePoint(t))}var ee=/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;function Et(t){return ee.test(t)?"rtl":"ltr"}function Ct(t,e){if(/^[ -~]*$/.test(t))return t;let n="";for(let i of t)n+=e(i.codePointAt(0))?yn(i):i;return n}function yn(t){return Array.from({length:t.length},(e,n)=>"\\u"+t.charCodeAt(n).toString(16).padStart(4,"0")).join("")}function m(t){return Ai(Ct(t,Oe))}function Le(t){let e=m(t);return ee.test(e)?`⁨${e}⁩`:e}var vn=t=>t!==9&&t!==10;function G(t){return Ct(t,e=>vn(e)&&Oe(e))}var Ti=/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;function U(t){return Ct(t.replace(Ti,""),e=>vn(e)&&_i(e))}function Ai(t){return ee.test(t)?t.split(`
`).map(e=>Si(e)?e:Array.from(e,n=>ee.test(n)?yn(n):n).join("")).join(`
`):t}function Si(t){let e=0,n=!1;for(let{kind:i,text:s}of Rt(t)){let r=/\p{L}/u.test(s);if(i==="phrase")e++;else{if(/\p{N}/u.test(s)||r&&e>0&&!n)return!1;r&&(n=!0)}}return e<=1}var Ie=ee.source,bn=`(?:(?!\\p{N})${Ie}|\\p{M})`,Ei=new RegExp(`(?<number>(?:(?=\\p{N})${Ie})+)|(?<phrase>(?=${Ie})${bn}+(?:[,.;:!?]? (?=${Ie})${bn}+)*)`,"gu");function Rt(t){let e=[],n=0,i=s=>{s>n&&e.push({text:t.slice(n,s)})};for(let s of t.matchAll(Ei))i(s.index),e.push({kind:s.groups.number===void 0?"phrase":"number",text:s[0]}),n=s.index+s[0].length;return i(t.length),e}function wn(t){return t.replace(/\\(?:u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|u([0-9a-f]{4})|[^])/giu,(e,n,i,s)=>{let r=s===void 0?[n,i]:[s];if(r[0]===void 0)return e;let o=String.fromCharCode(...r.map(l=>parseInt(l,16)));return ee.test(o)&&!Oe(o.codePointAt(0))?o:e})}function z(t){try{return JSON.parse(t)}catch{return}}function f(t){return typeof t=="object"&&t!==null&&!Array.isArray(t)?t:void 0}function $(t){return Array.isArray(t)?t:[]}function u(t){return typeof t=="string"?t:void 0}function Ue(t){if(z(t)===void 0)return G(t);let e="",n=0,i=()=>`
`+"  ".repeat(n);for(let s of t.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)??[])switch(s){case"{":case"[":n++,e+=s+i();break;case"}":case"]":n--,e=/[{[]\s*$/.test(e)?e.trimEnd()+s:e+i()+s;break;case",":e+=s+i();break;case":":e+=": ";break;default:e+=G(s)}return e}var Pt=class{#e="";#n=[];#t=!1;push(e){!this.#t&&e!==""&&(this.#t=!0,e=e.replace(/^\ufeff/,""));let n=this.#e+e,i=[],s=/\r\n|\n|\r(?!$)/g,r=0;for(let o=s.exec(n);o;o=s.exec(n))this.#s(n.slice(r,o.index),i),r=s.lastIndex;return this.#e=n.slice(r),i}#s(e,n){e===""?(this.#n.length>0&&n.push(this.#n.join(`
`)),this.#n=[]):(e==="data"||e.startsWith("data:"))&&this.#n.push(e.slice(5).replace(/^ /,""))}};async function*Mt(t){let e=new Pt,n=new TextDecoder,i=t.getReader();try{for(;;){let{done:s,value:r}=await i.read();if(s)return;yield e.push(n.decode(r,{stream:!0}))}}finally{i.cancel().catch(()=>{})}}var _=class extends Error{constructor(n,i){super(i||"Something went wrong at the server. Try again.");this.status=n}status},Ci="The server could not be reached. Check your connection and try again.";async function w(t,e={}){return z(await(await $n(t,e)).text())}async function $n(t,e){let n;try{n=await fetch(t,{cache:"no-store",credentials:"same-origin",...e})}catch(s){throw e.signal?.aborted?s:new _(0,Ci)}if(n.ok)return n;n.status===401&&Pi();let i=f(z(await n.text().catch(()=>"")));throw new _(n.status,Ri(i)??u(i?.detail)??u(i?.error))}function Ri(t){let e=$(t?.errors).flatMap(n=>u(f(n)?.message)??[]);return e.length>0?`This was not taken: ${e.join("; ")}.`:void 0}function Pi(){location.assign(`/login?next=${encodeURIComponent(location.pathname)}`)}var Mi=429,kn=1e4;async function xn(t,e,n){let i=JSON.stringify({elicitationId:t,action:e,...n&&{content:n}});for(let s=1e3;;s=Math.min(2*s,kn))try{await w(`/answer/${encodeURIComponent(t)}`,{method:"POST",body:i,headers:{"content-type":"application/json"}});return}catch(r){if(!(r instanceof _)||r.status!==Mi)throw r;await Tn(s)}}var _n=t=>`/api/elicitations/events?user=${encodeURIComponent(t)}`;async function Ne(t,e,n){for(let i=500;!n.aborted;i=Math.min(2*i,kn)){try{let s=await $n(t,{signal:n});for await(let r of Mt(s.body)){i=500,e.connected(!0);for(let o of r)qi(e,f(z(o)))}}catch{}if(n.aborted)return;e.connected(!1),await Tn(i)}}function qi(t,e){e?.id===void 0?t.reload():t.item(e)}var Tn=t=>new Promise(e=>setTimeout(e,t));var k=S`
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
`,x=S`
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
`;var An={questions:"Questions",history:"History",conversations:"Conversations",connections:"Connections",permissions:"Permissions",notifications:"Notifications"},je=class extends y{static styles=[k,x,S`
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
    `];static properties={user:{},_count:{state:!0},_part:{state:!0}};#e=0;constructor(){super(),this.user=this._count="",this._part="questions"}connectedCallback(){super.connectedCallback(),window.addEventListener("hashchange",this.#t),document.addEventListener("visibilitychange",this.#n),this.#e=window.setInterval(this.#n,15e3),this.#t(),this.#n()}disconnectedCallback(){super.disconnectedCallback(),window.removeEventListener("hashchange",this.#t),document.removeEventListener("visibilitychange",this.#n),window.clearInterval(this.#e)}#n=()=>{document.visibilityState!=="visible"||this._part!=="questions"||w("/api/me/looking",{method:"POST",body:"{}",headers:{"content-type":"application/json"}}).catch(()=>{})};#t=()=>{let e=location.hash.slice(1);this._part=e in An?e:"questions"};render(){return a`<nav aria-label="Inbox">
        ${Object.entries(An).map(([e,n])=>a`<a href="#${e}" aria-current=${e===this._part?"page":"false"}>${n}
            ${e==="questions"&&this._count?a`<span class="count">${this._count}</span>`:""}</a>`)}
      </nav>
      <parley-inbox-questions .user=${this.user} ?hidden=${this._part!=="questions"} @inbox-count=${this.#i}></parley-inbox-questions>
      ${this.#s()}`}#s(){switch(this._part){case"history":return a`<parley-inbox-history .user=${this.user}></parley-inbox-history>`;case"conversations":return a`<parley-inbox-conversations></parley-inbox-conversations>`;case"connections":return a`<parley-inbox-connections .user=${this.user}></parley-inbox-connections>`;case"permissions":return a`<parley-inbox-permissions .user=${this.user}></parley-inbox-permissions>`;case"notifications":return a`<parley-inbox-notifications></parley-inbox-notifications>`;default:return a``}}#i=e=>{this._count=e.detail,document.title=(e.detail?`(${e.detail}) `:"")+document.title.replace(/^\(\d+\+?\) /,"");let n=document.querySelector(".places .count");n&&(n.textContent=e.detail||"0")}};var A=S`
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
`,De=S`
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
`;function Ii(t){let e=f(t)??{},n=f(e.absence);return{channels:$(e.channels).flatMap(i=>{let s=u(f(i)?.channel);return s?[{channel:s,after:Number(f(i)?.after)||0,off:f(i)?.off===!0}]:[]}),devices:$(e.push_subscriptions).flatMap(i=>{let s=u(f(i)?.id);return s?[{id:s,label:u(f(i)?.label),since:u(f(i)?.created_at)}]:[]}),email:u(e.email),absence:n&&{from:u(n.from)??"",until:u(n.until)??""},deputy:u(e.deputy)}}function N(t,e){t.dispatchEvent(new CustomEvent("inbox-change",{detail:e}))}var ze=class extends y{static styles=[k,x,A];#e;#n=!1;#t;#s="";#i=!1;firstUpdated(){this.#r()}async#r(){try{this.#e=Ii(await w("/api/me/channels")),this.#t=void 0}catch(e){this.#n=e instanceof _&&e.status===404,this.#t=this.#n?void 0:e.message}this.requestUpdate()}#o=async e=>{if(this.#i)return;let n=e.currentTarget;this.#i=!0;let i;try{this.#s=await e.detail.work()}catch(s){this.#s="",i=s.message}this.#i=!1,await this.#r(),this.#t??=i,this.requestUpdate(),await this.updateComplete,await n.updateComplete,e.detail.focus&&n.renderRoot.querySelector(e.detail.focus)?.focus()};render(){let e=this.#e;return a`<div class="bar"><h2>How you are told</h2></div>
      <p class="meta">You are told of a question that you do not look at: one way after the other, until it is answered.</p>
      ${this.#t?a`<p class="problem" role="alert">${this.#t} ${e?d:a`<button type="button" @click=${()=>{this.#r()}}>Try again</button>`}</p>`:d}
      <p role="status" class=${this.#s?"notice":"hidden"}>${this.#s}</p>
      ${this.#n||e?.channels.length===0?a`<p class="empty">This server tells nobody of questions. Whoever runs it can configure channels; until then, look here now and then.</p>`:d}
      ${e?this.#a(e):d}`}#a(e){let n=e.channels.some(i=>i.channel==="web_push");return a`${n?a`<parley-inbox-devices .reach=${e} @inbox-change=${this.#o}></parley-inbox-devices>`:d}
      ${e.channels.length>0?a`<parley-inbox-channels .reach=${e} @inbox-change=${this.#o}></parley-inbox-channels>`:d}
      <parley-inbox-absence .reach=${e} @inbox-change=${this.#o}></parley-inbox-absence>`}};var Sn=new Intl.DateTimeFormat(void 0,{dateStyle:"full"}),En=t=>new Date(new Date(t).valueOf()-1);function Cn(t){return[String(t.getFullYear()).padStart(4,"0"),String(t.getMonth()+1).padStart(2,"0"),String(t.getDate()).padStart(2,"0")].join("-")}function Rn(t,e=0){let[n,i,s]=t.split("-").map(Number);return new Date(n??NaN,(i??NaN)-1,(s??NaN)+e)}var He=class extends y{static styles=[k,x,A,S`
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
        ${n?a`While you are away, what needs your approval is also asked of your deputy, <bdi>${m(n)}</bdi>.`:"You have no deputy: what needs your approval waits for you, and for whom its rule names next."}
        Only the configuration of the server names deputies.
      </p>
      ${e?this.#e(e):d}
      <form @submit=${this.#n}>
        <label>First day <input type="date" name="from" required .value=${e?Cn(new Date(e.from)):""} /></label>
        <label>Last day <input type="date" name="to" required .value=${e?Cn(En(e.until)):""} /></label>
        <button>${e?"Change":"I am away then"}</button>
      </form>
    </section>`}#e({from:e,until:n}){let[i,s]=[new Date(e),En(n)],r=i.valueOf()<=Date.now()&&Date.now()<new Date(n).valueOf();return a`<p class="notice">
      <span>${r?"You are away":"You will be away"} from ${Sn.format(i)} to ${Sn.format(s)}.</span>
      <button type="button" @click=${this.#t}>${r?"I am back":"I am not"}</button>
    </p>`}#n=e=>{e.preventDefault();let n=new FormData(e.currentTarget),[i,s]=[Rn(String(n.get("from"))),Rn(String(n.get("to")),1)];N(this,{work:async()=>{if(!(s>i))throw new _(0,"The last day is before the first. Correct one of them.");let r=JSON.stringify({from:i.toISOString(),until:s.toISOString()});return await w("/api/me/absence",{method:"PUT",body:r,headers:{"content-type":"application/json"}}),"Stored."}})};#t=()=>N(this,{work:async()=>(await w("/api/me/absence",{method:"DELETE"}),"Stored. If it still says that you are away, the configuration of the server does; whoever runs it can change it."),focus:"input"})};var j={ATTRIBUTE:1,CHILD:2,PROPERTY:3,BOOLEAN_ATTRIBUTE:4,EVENT:5,ELEMENT:6},te=t=>(...e)=>({_$litDirective$:t,values:e}),H=class{constructor(e){}get _$AU(){return this._$AM._$AU}_$AT(e,n,i){this._$Ct=e,this._$AM=n,this._$Ci=i}_$AS(e,n){return this.update(e,n)}update(e,n){return this.render(...n)}};var{I:Oi}=fn,Pn=t=>t;var qn=t=>t.strings===void 0,Mn=()=>document.createComment(""),ne=(t,e,n)=>{let i=t._$AA.parentNode,s=e===void 0?t._$AB:e._$AA;if(n===void 0){let r=i.insertBefore(Mn(),s),o=i.insertBefore(Mn(),s);n=new Oi(r,o,t,t.options)}else{let r=n._$AB.nextSibling,o=n._$AM,l=o!==t;if(l){let c;n._$AQ?.(t),n._$AM=t,n._$AP!==void 0&&(c=t._$AU)!==o._$AU&&n._$AP(c)}if(r!==s||l){let c=n._$AA;for(;c!==r;){let h=Pn(c).nextSibling;Pn(i).insertBefore(c,s),c=h}}}return n},F=(t,e,n=t)=>(t._$AI(e,n),t),Li={},ie=(t,e=Li)=>t._$AH=e,In=t=>t._$AH,Fe=t=>{t._$AR(),t._$AA.remove()};var q=te(class extends H{constructor(t){if(super(t),t.type!==j.PROPERTY&&t.type!==j.ATTRIBUTE&&t.type!==j.BOOLEAN_ATTRIBUTE)throw Error("The `live` directive is not allowed on child or event bindings");if(!qn(t))throw Error("`live` bindings can only contain a single expression")}render(t){return t}update(t,[e]){if(e===M||e===d)return e;let n=t.element,i=t.name;if(t.type===j.PROPERTY){if(e===n[i])return M}else if(t.type===j.BOOLEAN_ATTRIBUTE){if(!!e===n.hasAttribute(i))return M}else if(t.type===j.ATTRIBUTE&&n.getAttribute(i)===e+"")return M;return ie(t),e}});var On=(t,e,n)=>{let i=new Map;for(let s=e;s<=n;s++)i.set(t[s],s);return i},We=te(class extends H{constructor(t){if(super(t),t.type!==j.CHILD)throw Error("repeat() can only be used in text expressions")}dt(t,e,n){let i;n===void 0?n=e:e!==void 0&&(i=e);let s=[],r=[],o=0;for(let l of t)s[o]=i?i(l,o):o,r[o]=n(l,o),o++;return{values:r,keys:s}}render(t,e,n){return this.dt(t,e,n).values}update(t,[e,n,i]){let s=In(t),{values:r,keys:o}=this.dt(e,n,i);if(!Array.isArray(s))return this.ut=o,r;let l=this.ut??=[],c=[],h,g,p=0,v=s.length-1,b=0,T=r.length-1;for(;p<=v&&b<=T;)if(s[p]===null)p++;else if(s[v]===null)v--;else if(l[p]===o[b])c[b]=F(s[p],r[b]),p++,b++;else if(l[v]===o[T])c[T]=F(s[v],r[T]),v--,T--;else if(l[p]===o[T])c[T]=F(s[p],r[T]),ne(t,c[T+1],s[p]),p++,T--;else if(l[v]===o[b])c[b]=F(s[v],r[b]),ne(t,s[p],s[v]),v--,b++;else if(h===void 0&&(h=On(o,b,T),g=On(l,p,v)),h.has(l[p]))if(h.has(l[v])){let I=g.get(o[b]),bt=I!==void 0?s[I]:null;if(bt===null){let Yt=ne(t,s[p]);F(Yt,r[b]),c[b]=Yt}else c[b]=F(bt,r[b]),ne(t,s[p],bt),s[I]=null;b++}else Fe(s[v]),v--;else Fe(s[p]),p++;for(;b<=T;){let I=ne(t,c[T+1]);F(I,r[b]),c[b++]=I}for(;p<=v;){let I=s[p++];I!==null&&Fe(I)}return this.ut=o,ie(t,c),M}});var qt=[0,30,60,300,900,3600,14400,86400,259200];function Ui(t){if(t===0)return"at once";for(let[e,n]of[["day",86400],["hour",3600],["minute",60],["second",1]])if(t%n===0)return`after ${t/n} ${e}${t===n?"":"s"}`;return`after ${t} seconds`}var Je=class extends y{static styles=[k,x,A,S`
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
        ${We(e,n=>n.channel,(n,i)=>this.#e(n,i))}
      </ol>
    </section>`}#e(e,n){let i=this.#t(e),s=this.#s(e),r=qt.includes(e.after)?qt:[...qt,e.after].sort((o,l)=>o-l);return a`<li class="thing" data-channel=${e.channel}>
      <div class="about">
        <strong>${i}</strong>
        ${s?a`<div class="meta">${s}</div>`:d}
      </div>
      <div class="buttons">
        <label><input type="checkbox" aria-label="${i}: on" .checked=${q(!e.off)} @change=${()=>this.#i(e,{off:!e.off})} />On</label>
        <select aria-label="When: ${i}" @change=${o=>this.#i(e,{after:Number(o.target.value)})}>
          ${r.map(o=>a`<option value=${o} .selected=${q(o===e.after)}>${Ui(o)}</option>`)}
        </select>
        ${this.#n(e,n,-1,i)} ${this.#n(e,n,1,i)}
      </div>
    </li>`}#n(e,n,i,s){if(this.reach.channels.length<2)return d;let r=n+i,o=r>=0&&r<this.reach.channels.length,l=i<0?"Earlier":"Later";return a`<button type="button" class=${i<0?"up":"down"} aria-label="${l}: ${s}" aria-disabled=${!o} @click=${()=>o&&this.#r(e,r,i)}>${l}</button>`}#t({channel:e}){return e==="web_push"?"Notifications in your browsers":e==="email"?this.reach.email?`E-mail to ${m(this.reach.email)}`:"E-mail":`Webhook ${m(e.replace(/^webhook:/,""))}`}#s({channel:e,off:n}){return n?"Off: left out.":e==="web_push"&&this.reach.devices.length===0?"Left out: no browser of yours is turned on.":e==="email"&&!this.reach.email?"Left out: no verified address of yours is known. Sign in with one, or ask whoever runs this server.":""}#i(e,n){this.#o(this.reach.channels.map(i=>i===e?{...e,...n}:i))}#r(e,n,i){let s=this.reach.channels.filter(r=>r!==e);this.#o([...s.slice(0,n),e,...s.slice(n)],`[data-channel="${CSS.escape(e.channel)}"] .${i<0?"up":"down"}`)}#o(e,n){let i=JSON.stringify({channels:e});N(this,{work:async()=>(await w("/api/me/channels",{method:"PUT",body:i,headers:{"content-type":"application/json"}}),"Stored."),focus:n})}};var se=class extends y{static styles=[k,x,A];static properties={user:{}};#e;#n;#t="";#s;firstUpdated(){this.#i()}async#i(){await this.#r(async()=>{let e=f(await w(`${this.path}?${new URLSearchParams({user:this.user})}`));this.#e=$(e?.items).flatMap(n=>[f(n)??{}])})}async#r(e){this.#n=void 0;try{await e()}catch(n){this.#n=n.message}this.requestUpdate()}render(){let e=this.#e;return a`<div class="bar"><h2 tabindex="-1">${this.words.title}</h2></div>
      ${this.#n?a`<p class="problem" role="alert">${this.#n} <button type="button" @click=${()=>{this.#i()}}>Try again</button></p>`:d}
      <div role="status" class="meta">${this.#t}</div>
      ${e?.length===0?a`<p class="empty">${this.words.none}</p>`:d}
      <ul class="things">
        ${e?.map(n=>a`<li class="thing">
            <div class="about">${this.about(n)}</div>
            <div>${this.#o(n)}</div>
          </li>`)}
      </ul>`}#o(e){let n=this.key(e),i=this.called(e),s=r=>()=>{this.#s=r,this.requestUpdate()};return this.#s!==n?a`<button type="button" aria-label="${this.words.take}: ${i}" @click=${s(n)}>${this.words.take}</button>`:a`<button type="button" class="primary" aria-label="${this.words.sure}: ${i}" @click=${()=>{this.#a(e)}}>${this.words.sure}</button>
      <button type="button" class="quiet" @click=${s(void 0)}>Keep</button>`}async#a(e){this.#s=void 0,await this.#r(async()=>{let n=f(await w(this.removal(e),{method:"DELETE"}));this.#t=u(n?.warning)??`Done: ${this.called(e)}.`,await this.#i()}),this.renderRoot.querySelector("h2")?.focus()}};function re(t,e=[]){let n=f(t);if(!n)return;let i=new Set($(n.required)),s=[],r=l=>e.includes(l)?e.indexOf(l):e.length,o=Object.entries(f(n.properties)??{}).sort(([l],[c])=>r(l)-r(c));for(let[l,c]of o){let h=f(c),g=h&&Ni(h);if(!h||!g)return;s.push(ji(l,g,h,i.has(l)))}return s}function Ni(t){switch(t.type){case"string":case"number":case"integer":return Ve(t).length>0?"choice":t.type;case"boolean":return"boolean";case"array":return Ve(f(t.items)??{}).length>0?"choices":void 0}}function ji(t,e,n,i){return{name:t,kind:e,required:i,nullable:n.nullable===!0,label:U(u(n.title)||t),description:U(u(n.description)??"")||void 0,format:Di(n.format),minLength:fe(n.minLength),maxLength:fe(n.maxLength),pattern:u(n.pattern),minimum:Ln(n.minimum),maximum:Ln(n.maximum),options:Ve(e==="choices"?f(n.items)??{}:n),minItems:fe(n.minItems),maxItems:fe(n.maxItems),default:n.default}}function Di(t){return t==="email"||t==="uri"||t==="date"||t==="date-time"?t:void 0}function fe(t){return typeof t=="number"?t:void 0}function Ln(t){let e=fe(t);return e!==void 0&&Math.abs(e)===Number.MAX_SAFE_INTEGER?void 0:e}function Un(t){return typeof t=="number"?String(t):u(t)}function Ve(t){let e=$(t.oneOf??t.anyOf);if(e.length>0)return e.flatMap(i=>{let s=Un(f(i)?.const);return s===void 0?[]:[{value:s,label:U(u(f(i)?.title)||s)}]});let n=$(t.enumNames);return $(t.enum).flatMap((i,s)=>{let r=Un(i);return r===void 0?[]:[{value:r,label:U(u(n[s])||r)}]})}var D=({name:t})=>t.startsWith("args.");function me(t){return t.kind==="boolean"&&(t.required||t.nullable)&&t.default===void 0}function It(t){return Object.fromEntries(t.map(e=>[e.name,zi(e)]))}function zi(t){let e=t.default;switch(t.kind){case"boolean":return typeof e=="boolean"?e:me(t)?void 0:!1;case"choices":return Array.isArray(e)?t.options.map(n=>n.value).filter(n=>e.includes(n)):[];case"choice":return t.options.find(n=>n.value===String(e))?.value;case"number":case"integer":return typeof e=="number"?String(e):""}return typeof e!="string"?"":t.format==="date-time"?Zi(e):e}function ge(t,e,n){let i={content:Object.create(null),errors:Object.create(null)};for(let s of t){let{value:r,error:o}=Hi(s,e[s.name],n);o!==void 0?i.errors[s.name]=o:r!==void 0&&(i.content[s.name]=r)}return i}function Be(t){let e=t.replace(/\s+/g," ").replace(/[:* ]+$/,"");return/[?!.,;]$|^$/.test(e)?`“${e}”`:e}function Hi(t,e,n){let i={error:n("errorRequired",{label:Be(t.label)})},s=t.nullable?{value:null}:i;switch(t.kind){case"boolean":return e===void 0?t.required?i:{}:{value:e};case"choices":return Fi(t,e??[],n);case"choice":return e!==void 0?{value:e}:t.default!==void 0?s:t.required?i:{}}let r=typeof e=="string"?e:"",o=t.kind==="string"&&t.format===void 0;return(o&&!t.required?r==="":r.trim()==="")?t.required?i:t.default===void 0?{}:t.kind==="string"&&!t.nullable?{value:""}:s:t.kind==="string"?Wi(t,o?r:r.trim(),n):Qi(t,r.trim(),n)}function Fi(t,e,n){let{minItems:i,maxItems:s}=t,r=Be(t.label);return e.length===0&&!t.required&&t.default===void 0?{}:i!==void 0&&e.length<i?{error:n("errorMinItems",{label:r,n:i})}:s!==void 0&&e.length>s?{error:n("errorMaxItems",{label:r,n:s})}:{value:e}}function Wi(t,e,n){let{minLength:i,maxLength:s}=t,r=Be(t.label),o=[...e].length;if(i!==void 0&&o<i)return{error:n("errorMinLength",{label:r,n:i})};if(s!==void 0&&o>s)return{error:n("errorMaxLength",{label:r,n:s})};if(t.pattern!==void 0&&!Ji(t.pattern,e))return{error:n("errorPattern",{label:r})};switch(t.format){case"email":return/^[^\s@]+@[^\s@]*[^\s@.]$/.test(e)?{value:e}:{error:n("errorEmail",{label:r})};case"uri":return Vi(e)?{value:e}:{error:n("errorUri",{label:r})};case"date":return Bi(e)?{value:e}:{error:n("errorDate",{label:r})};case"date-time":{let l=Gi(e);return l?{value:l}:{error:n("errorDateTime",{label:r})}}}return{value:e}}function Ji(t,e){try{return new RegExp(t,"u").test(e)}catch{return!0}}function Vi(t){return/^[a-z][a-z0-9+.-]*:[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/i.test(t)&&URL.canParse(t)}function Bi(t){let e=new Date(`${t}T00:00:00Z`);return/^\d{4}-\d\d-\d\d$/.test(t)&&!Number.isNaN(e.valueOf())&&e.toISOString().startsWith(t)}function Qi(t,e,n){let{minimum:i,maximum:s}=t,r=Be(t.label),o=Yi(e);return o===void 0?{error:n(t.kind==="integer"?"errorInteger":"errorNumber",{label:r})}:t.kind==="integer"&&!Number.isInteger(o)?{error:n("errorInteger",{label:r})}:Ki(e)?i!==void 0&&o<i?{error:n("errorMinimum",{label:r,n:i})}:s!==void 0&&o>s?{error:n("errorMaximum",{label:r,n:s})}:{value:o}:{error:n("errorDigits",{label:r})}}function Yi(t){let e=t.replace(/^\u2212/,"-");if(!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(e))return;let n=Number(e);return Number.isFinite(n)?n:void 0}function Ki(t){return t.replace(/e.*$/i,"").replace(/\D/g,"").replace(/^0+/,"").replace(/0+$/,"").length<=15||Number.isSafeInteger(Number(t))&&/^[-+]?\d+$/.test(t)}function Gi(t){let e=/^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d(?:\.\d+)?)?$/.exec(t),n=new Date(t);if(!(!e||Number.isNaN(n.valueOf())))return`${e[1]}${e[2]??":00"}${Ot(n)||"Z"}`}function Zi(t){let e=new Date(t);return Number.isNaN(e.valueOf())?"":new Date(e.valueOf()-e.getTimezoneOffset()*6e4).toISOString().slice(0,e.getUTCSeconds()||e.getUTCMilliseconds()?19:16)}function Ot(t){let e=-t.getTimezoneOffset();if(e===0)return"";let n=i=>String(Math.floor(i)).padStart(2,"0");return`${e<0?"-":"+"}${n(Math.abs(e)/60)}:${n(Math.abs(e)%60)}`}var jn=7;function ye(t){let{field:e}=t;return e.kind==="boolean"&&!me(e)?rs(t):e.kind==="boolean"?Nn(t,[{value:"true",label:t.say("yes")},{value:"false",label:t.say("no")}]):e.kind==="choices"?ss(t):e.kind==="choice"&&e.options.length<=jn?Nn(t,e.options):a`<div class=${Qe(t)}>
    <label for=${t.id} dir="auto">${e.label}${Ut(t)}</label>
    ${Ye(t)} ${e.kind==="choice"?is(t):es(t)}
  </div>`}function Dn(t){let{id:e,field:n}=t;return n.kind==="choices"||me(n)||n.kind==="choice"&&n.options.length<=jn?`${e}-0`:e}var Qe=t=>t.error===void 0?"field":"field wrong",Ut=t=>be(t.field)?a` <span class="required">${t.say("required")}</span>`:d;function be(t){return t.required&&(t.kind!=="choices"||(t.minItems??0)>0)}function Ye(t){let{id:e,field:n,error:i,say:s}=t,r=zn(n,s);return a`
    ${n.description?a`<p class="hint" id="${e}-about" dir="auto">${n.description}</p>`:d}
    ${r?a`<p class="hint" id="${e}-hint">${r}</p>`:d}
    ${i===void 0?d:a`<p class="error" id="${e}-error"><span class="hidden">${s("error")} </span>${i}</p>`}
  `}function oe(t){let e=[];return t.field.description&&e.push(`${t.id}-about`),zn(t.field,t.say)&&e.push(`${t.id}-hint`),t.error!==void 0&&e.push(`${t.id}-error`),e.length>0?e.join(" "):d}function zn(t,e){switch(t.kind){case"number":case"integer":return Lt(t.minimum,t.maximum,e);case"choices":{let n=Lt(t.minItems||void 0,t.maxItems,e);return n&&e("hintChoices",{range:Xi(n)})}case"string":{if(t.format==="date-time")return e("localTime",{offset:Ot(new Date)});let n=Lt(t.minLength!==void 0&&t.minLength>1?t.minLength:void 0,t.maxLength,e);return n&&e("hintLength",{range:n})}}return""}function Lt(t,e,n){return t!==void 0&&t===e?n("exactly",{low:t}):t!==void 0&&e!==void 0?n("from",{low:t,high:e}):t!==void 0?n("atLeast",{low:t}):e===void 0?"":n("atMost",{high:e})}var Xi=t=>t.charAt(0).toLowerCase()+t.slice(1);function es(t){let{id:e,field:n,entry:i,enter:s}=t,r=typeof i=="string"?i:"",o=h=>s(h.target.value);if(n.kind==="string"&&n.format===void 0&&ns(n))return a`<textarea id=${e} rows="4" dir="auto" .value=${q(r)} @input=${o}
      aria-describedby=${oe(t)} aria-required=${be(n)} aria-invalid=${t.error!==void 0}></textarea>`;let{type:l,mode:c}=ts(n);return a`<input id=${e} type=${l} inputmode=${c??d} autocomplete="off" dir="auto"
    spellcheck=${c?"false":d} autocapitalize=${c?"off":d} step=${l==="datetime-local"?"any":d}
    .value=${q(r)} @input=${o}
    aria-describedby=${oe(t)} aria-required=${be(n)} aria-invalid=${t.error!==void 0} />`}function ts(t){if(t.kind==="integer")return{type:"text",mode:(t.minimum??-1)<0?"text":"numeric"};if(t.kind==="number")return{type:"text",mode:(t.minimum??-1)<0?"text":"decimal"};switch(t.format){case"date":return{type:"date"};case"date-time":return{type:"datetime-local"};case"email":return{type:"text",mode:"email"};case"uri":return{type:"text",mode:"url"}}return{type:"text"}}function ns(t){let e=typeof t.default=="string"?t.default:"";return(t.maxLength??0)>200||(t.minLength??0)>100||e.length>200||e.includes(`
`)}function is(t){let{id:e,field:n,entry:i,say:s,enter:r}=t;return a`<select id=${e} @change=${l=>{let c=l.target.selectedIndex-1;r(n.options[c]?.value)}} aria-describedby=${oe(t)}
    aria-required=${be(n)} aria-invalid=${t.error!==void 0}>
    <option value="" .selected=${i===void 0}>${s("choose")}</option>
    ${n.options.map(l=>a`<option .selected=${l.value===i}>${Nt(l,s)}</option>`)}
  </select>`}var Nt=(t,e)=>t.label.trim()===""?e("emptyOption"):t.label;function Nn(t,e){let{id:n,field:i,entry:s,say:r,enter:o}=t,l=h=>i.kind==="boolean"?h==="true":h,c=!i.required&&i.default===void 0&&!t.sure;return a`<div class=${Qe(t)} role="radiogroup" aria-labelledby="${n}-label" aria-required=${be(i)}
    aria-invalid=${t.error!==void 0} aria-describedby=${oe(t)}>
    <div class="legend" id="${n}-label" dir="auto">${i.label}${Ut(t)}</div>
    ${Ye(t)}
    ${e.map((h,g)=>a`<label class="option">
        <input type="radio" id="${n}-${g}" name=${n} .checked=${q(s===l(h.value))} @change=${()=>o(l(h.value))} />
        <span dir="auto">${Nt(h,r)}</span>
      </label>`)}
    ${c?a`<label class="option">
          <input type="radio" name=${n} .checked=${q(s===void 0)} @change=${()=>o(void 0)} />
          <span>${r("noAnswer")}</span>
        </label>`:d}
  </div>`}function ss(t){let{id:e,field:n,say:i,enter:s}=t,r=Array.isArray(t.entry)?t.entry:[],o=(l,c)=>s(n.options.map(h=>h.value).filter(h=>h===l?c:r.includes(h)));return a`<div class=${Qe(t)} role="group" aria-labelledby="${e}-label" aria-describedby=${oe(t)}>
    <div class="legend" id="${e}-label" dir="auto">${n.label}${Ut(t)}</div>
    ${Ye(t)}
    ${n.options.map((l,c)=>a`<label class="option">
        <input type="checkbox" id="${e}-${c}" .checked=${q(r.includes(l.value))} aria-invalid=${t.error!==void 0}
          @change=${h=>o(l.value,h.target.checked)} />
        <span dir="auto">${Nt(l,i)}</span>
      </label>`)}
  </div>`}function rs(t){let{id:e,field:n,entry:i,enter:s}=t;return a`<div class=${Qe(t)}>
    <label class="option">
      <input type="checkbox" id=${e} .checked=${q(i===!0)} aria-describedby=${oe(t)} aria-invalid=${t.error!==void 0}
        @change=${r=>s(r.target.checked)} />
      <span class="strong" dir="auto">${n.label}</span>
    </label>
    ${Ye(t)}
  </div>`}var P=t=>E`<svg viewBox="0 0 24 24" aria-hidden="true">${t}</svg>`,C={connect:P(E`<path d="M10 14a4.5 4.5 0 0 0 6.4 0l3.2-3.2a4.5 4.5 0 0 0-6.4-6.4L11.7 6M14 10a4.5 4.5 0 0 0-6.4 0l-3.2 3.2a4.5 4.5 0 0 0 6.4 6.4L12.3 18"/>`),approval:P(E`<path d="M12 3 5 5.6v5.6c0 4.3 2.9 8.1 7 9.8 4.1-1.7 7-5.5 7-9.8V5.6L12 3Z"/><path d="M12 8.5v4M12 15.8v.1"/>`),form:P(E`<path d="M20 11.5a7.5 7.5 0 0 1-7.5 7.5H5l1.7-2.6A7.5 7.5 0 1 1 20 11.5Z"/><path d="M10.4 9.6a2.2 2.2 0 1 1 3.1 2c-.6.3-1 .7-1 1.4M12.5 15.4v.1"/>`),clock:P(E`<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>`),done:P(E`<path d="m5 12.5 4.5 4.5L19 7.5"/>`),no:P(E`<path d="M7 7l10 10M17 7 7 17"/>`),tool:P(E`<path d="M14.5 6.5a4 4 0 0 1 5-1.2l-2.7 2.7 1.4 2 2.6-2.2a4 4 0 0 1-5.6 4.6L8 19.6A2.1 2.1 0 0 1 5 16.6l7-7.3a4 4 0 0 1 2.5-2.8Z"/>`),send:P(E`<path d="M12 19V5.5M6 11l6-6 6 6"/>`),stop:P(E`<rect x="7.5" y="7.5" width="9" height="9" rx="1.5" fill="currentColor"/>`),plus:P(E`<path d="M12 5v14M5 12h14"/>`),down:P(E`<path d="M12 5v13.5M6 13l6 6 6-6"/>`),warning:P(E`<path d="M12 4 2.8 19.5h18.4L12 4Z"/><path d="M12 10v4.2M12 16.8v.1"/>`),copy:P(E`<rect x="9" y="9" width="11" height="11" rx="2"/><path d="M5.5 15H5a1.5 1.5 0 0 1-1.5-1.5V5A1.5 1.5 0 0 1 5 3.5h8.5A1.5 1.5 0 0 1 15 5v.5"/>`),again:P(E`<path d="M19.5 12a7.5 7.5 0 1 1-2.2-5.3M19.5 3.5v4h-4"/>`),chevron:P(E`<path d="m9 6 6 6-6 6"/>`)};function jt(t){return Rt(t).map(e=>e.kind===void 0?e.text:a`<bdi dir=${e.kind==="phrase"?"rtl":"ltr"}>${e.text}</bdi>`)}function Fn(t,e){let{question:n,service:i,say:s}=t;return a`<div class="card open" part="card" role="group" aria-labelledby="title">
    <header>
      <span class="badge">${os(t)}</span>
      <div class="title isolate" id="title" tabindex="-1" role="heading" aria-level="2" dir=${Wn(t)}>${$e(t)}</div>
      ${e}
    </header>
    <div class="body">
      ${n.message.trim()===""?d:a`<div class="message">
            ${ve(n)?d:a`<span class="from isolate" dir=${Et(s("says",{service:""}))}>${s("says",{service:i})}</span>`}
            ${as(n)}
          </div>`}
      ${ds(t)}
      ${n.context.account?a`<p class="account">${s("account")} <bdi>${m(n.context.account)}</bdi></p>`:d}
    </div>
  </div>`}function os({kind:t,question:e}){return e.context.trigger==="tool_approval"?C.approval:t==="waiting"?C.clock:t==="unsupported"?C.form:C[t]}var ve=({context:t})=>(t.trigger==="tool_approval"||t.trigger==="approvers")&&t.server!==void 0;function as(t){let{message:e,context:n}=t;if(n.trigger!=="tool_approval"&&!ve(t))return a`<div class="words" dir="auto">${U(e)}</div>`;let i=jt(G(wn(e)));return ve(t)?a`<div class="words exact whole" dir="ltr" tabindex="0" role="region" aria-labelledby="title">${i}</div>`:a`<div class="words exact" dir="ltr">${i}</div>`}var Wn=t=>Et($e({...t,service:""}));function $e(t){let{kind:e,question:n,service:i,say:s}=t,{trigger:r}=n.context;return r==="tool_approval"?s("approvalTitle",{service:i}):r==="approvers"?s("waitingTitle",{service:i}):e==="connect"?s(r==="credential_required"?"connectTitle":"visitTitle",{service:i}):s("formTitle",{service:i})}function Jn(t,e){let n={good:C.done,bad:C.no,neutral:C.clock}[e.tone];return a`<div class="card settled" part="card" role="group" aria-labelledby="title">
    <header>
      <span class="badge ${e.tone}">${n}</span>
      <div class="title">
        <span class="isolate" id="title" dir=${Wn(t)}>${$e(t)}</span>
        <span class="sentence" id="outcome" tabindex="-1">${e.sentence}</span>
      </div>
    </header>
  </div>`}var W=t=>t===void 0?d:a`<p class="problem">${C.warning}<span>${t}</span></p>`;function ds(t){switch(t.kind){case"connect":return ls(t);case"approval":return a`${ve(t.question)?d:Hn(t)} ${hs(t)}`;case"waiting":return a`${us(t)} ${W(t.problem)}
        <div class="buttons">${we(t,"takeBack")}</div>`;case"form":return a`${t.question.context.trigger==="tool_approval"&&!ve(t.question)?Hn(t):d} ${bs(t)}`;case"unsupported":return a`<p>${t.say("unsupported")} <a href=${t.hosted} target="_blank" rel="noopener">${t.say("hosted")}</a></p>
        ${W(t.problem)}
        <div class="buttons">${we(t,"decline")}</div>`}}function ls(t){let{address:e,say:n}=t;if(!e)return a`${W(n("unsafe"))} ${W(t.problem)}
      <div class="buttons">${we(t,"dismiss")}</div>`;let i=n(t.question.context.trigger==="credential_required"?"connect":"visit");return a`
    <dl>
      <div>
        <dt>${n("address")}</dt>
        <dd><code class="address">${e.before}<strong>${e.trust}</strong>${e.after}</code></dd>
      </div>
    </dl>
    ${e.insecure?a`<p class="warn">${C.warning}<span>${n("insecure")}</span></p>`:d} ${cs(t,e)} ${W(t.problem)}
    <div class="buttons">
      ${e.foreign?a`<a class="button primary" id="go" href=${e.href} target="_blank" rel="noopener noreferrer"
            @click=${t.open}>${i}</a>`:a`<button type="button" class="primary" id="go" @click=${t.open}>
            ${t.phase==="opened"?n("openAgain"):i}
          </button>`}
      ${we(t,"dismiss")}
    </div>
  `}function cs(t,e){let{say:n,phase:i}=t,s=a`<a href=${e.href}>${n("sameWindow")}</a>`;switch(i){case"opened":return a`<p class="status">
        ${C.clock}<span>${n(e.foreign?"openedTab":"opened")} ${e.foreign?d:s}</span>
      </p>`;case"blocked":return W(a`${n("blocked")} ${s}`);case"confirming":return a`<p class="status">${C.clock}<span>${n("confirming")}</span></p>`}return d}function Hn(t){let{context:e}=t.question,{say:n}=t,i=Ue(e.arguments??""),s=i.split(`
`).length;return a`<dl>
    ${e.tool===void 0?d:a`<div>
          <dt>${n("toolLabel")}</dt>
          <dd><code><bdi>${m(e.tool)}</bdi></code></dd>
        </div>`}
    <div>
      <dt id="arguments">${s>8?n("argumentLines",{n:s}):n("arguments")}</dt>
      <dd>
        ${i===""?n("noArguments"):a`<pre class="arguments" tabindex="0" role="region" aria-labelledby="arguments">${jt(i)}</pre>`}
      </dd>
    </div>
  </dl>`}function us({question:t,say:e}){let n=t.approvers;if(!n)return d;let i=r=>r==="allow_once"||r==="changed",s=n.people.filter(r=>i(r.decision)).length;return a`<div class="panel">
    <p id="panel" aria-live="polite">${e("approversHave",{have:s,need:n.need})}</p>
    <ul aria-labelledby="panel">
      ${n.people.map(r=>{let o=i(r.decision)?"good":r.decision==="deny"?"bad":"neutral",l={good:C.done,bad:C.no,neutral:C.clock}[o],c=o==="good"?"approverAllowed":o==="bad"?"approverDenied":r.late?"approverLate":"approverAsked";return a`<li class=${o}>${l}<bdi>${m(r.name)}</bdi><span>${e(c)}</span></li>`})}
    </ul>
  </div>`}function hs(t){let e=t.fields[0].options,n=e.find(s=>s.value==="asked_back"),i=e.find(s=>s.value==="changed");return a`${W(t.problem)}<div class="buttons">${e.filter(s=>s!==n&&s!==i).map(s=>Dt(t,s))}</div>
  ${ps(t,i)}${ms(t)}${fs(t,n)}`}function Dt({say:t,phase:e,decide:n},{value:i,label:s}){return a`<button type="button" class=${i==="allow_once"?"primary":""} data-decision=${i}
    aria-disabled=${e==="sending"} @click=${()=>n(i)}>
    ${s===i&&gs(i)?t(i):m(s)}
  </button>`}function ps(t,e){let{fields:n,entries:i,errors:s,say:r,enter:o}=t;return e?a`<details class="narrow" id="edits">
    <summary>${r("edit")}</summary>
    <div class="form">
      <p class="hint">${r("editHint")}</p>
      ${n.filter(D).map(l=>ye({id:`field-${n.indexOf(l)}`,field:l,entry:i[l.name],error:s[l.name],say:r,enter:c=>o(l.name,c)}))}
      <div class="buttons">${Dt(t,e)}</div>
    </div>
  </details>`:d}function fs(t,e){let{fields:n,entries:i,errors:s,say:r,enter:o}=t,l=n.filter(c=>c.kind==="string"&&!D(c));return l.length===0&&!e?d:a`<details class="narrow">
    <summary>${r("remark")}</summary>
    <div class="form">
      ${l.map(c=>ye({id:`field-${n.indexOf(c)}`,field:c,entry:i[c.name],error:s[c.name],say:r,enter:h=>o(c.name,h)}))}
      ${e?a`<div class="buttons">${Dt(t,e)}</div>`:d}
    </div>
  </details>`}function ms(t){let{fields:e,entries:n,errors:i,say:s}=t,r=e.slice(1).filter(o=>o.kind==="choice"&&!D(o));return r.length===0?d:a`<details class="narrow">
    <summary>${s("narrow")}</summary>
    <div class="form">
      ${r.map(o=>ye({id:`field-${e.indexOf(o)}`,field:o,entry:n[o.name],error:i[o.name],say:s,sure:!0,enter:l=>t.enter(o.name,l)}))}
      ${r.some(o=>n[o.name]!==void 0)?a`<div class="buttons"><button type="button" @click=${()=>r.forEach(o=>t.enter(o.name,void 0))}>${s("noLimits")}</button></div>`:d}
    </div>
  </details>`}function gs(t){return t==="allow_once"||t==="always_allow"||t==="changed"||t==="deny"||t==="asked_back"}function bs(t){let{fields:e,entries:n,errors:i,say:s}=t;return a`<form class="form" novalidate @submit=${t.submit}>
    ${e.map((r,o)=>ye({id:`field-${o}`,field:r,entry:n[r.name],error:i[r.name],say:s,enter:l=>t.enter(r.name,l)}))}
    ${W(t.problem)}
    <div class="buttons">
      <button class="primary" aria-disabled=${t.phase==="sending"}>${s(t.phase==="sending"?"sending":"submit")}</button>
      ${we(t,"decline")}
    </div>
  </form>`}function we(t,e){return a`<button type="button" class="quiet" id="decline" aria-disabled=${t.phase==="sending"} @click=${t.decline}>
    ${t.say(e)}
  </button>`}function Ke(t,e,n,i){let s=ws(e,n,i),r=t.context.trigger==="credential_required";if(t.context.trigger==="approvers")return ys(e,s,i);switch(e.action){case"accept":return n.answered&&n.decision!==void 0?Vn(n.decision,n.chosen,"",i):e.decision!==void 0?Vn(e.decision,vs(t,e),s,i):r?{tone:"good",sentence:i("connected",{place:s})}:{tone:"good",sentence:i(t.mode==="url"?"visited":"answered",{place:s})};case"decline":return{tone:"bad",sentence:i(r?"notConnected":"declined",{place:s})};case"expire":return{tone:"neutral",sentence:i("expired")}}return e.by?{tone:"neutral",sentence:i("cancelled",{place:s})}:{tone:"neutral",sentence:i(e.reason==="superseded"?"superseded":"withdrawn")}}function ys(t,e,n){if(t.action==="expire")return{tone:"neutral",sentence:n("expired")};if(t.by)return{tone:"neutral",sentence:n("takenBack",{place:e})};let i=m(t.reason??"");return t.action==="accept"?{tone:"good",sentence:n("othersAllowed",{reason:i})}:t.action==="decline"?{tone:"bad",sentence:n("othersDenied",{reason:i})}:{tone:"neutral",sentence:n("withdrawn")}}function vs(t,{decision:e,limits:n}){return zt(re(t.requestedSchema)??[],{...n,decision:e})}function zt(t,e){return t.flatMap(({name:i,options:s})=>s.find(r=>r.value===e[i]&&r.label!==r.value)?.label??[]).map(m).join(" · ")}function Vn(t,e,n,i){switch(t){case"allow_once":return{tone:"good",sentence:i("allowed_once",{place:n})};case"always_allow":return{tone:"good",sentence:e?i("allowed_as",{chosen:e,place:n}):i("allowed_always",{place:n})};case"changed":return{tone:"good",sentence:i("allowed_changed",{place:n})};case"asked_back":return{tone:"neutral",sentence:i("asked_back_done",{place:n})};case"deny":return{tone:"bad",sentence:i("denied",{place:n})}}return{tone:"good",sentence:i("answered",{place:n})}}function ws(t,e,n){if(e.answered)return"";switch(t.via){case"page":return n("onPage");case"slack":return n("inSlack");case void 0:case"chat":return e.watched?n("elsewhere"):""}return n("elsewhere")}var Ge=t=>e=>e.n===1?`1 ${t}`:`${e.n} ${t}s`,Bn=Ge("character"),Qn=Ge("choice"),$s=t=>t<60?Ge("second")({n:t}):Ge("minute")({n:t/60}),ks={log:"Conversation",you:"You",assistant:"Assistant",placeholder:"Write a message",send:"Send",stop:"Stop",newConversation:"New conversation",empty:"Ask something to begin.",loading:"Loading the conversation…",thinking:"Working…",copyAnswer:"Copy answer",copyCode:"Copy code",copied:"Copied",again:"Ask again",turnFailed:"This answer failed.",turnStopped:"You stopped this answer.",taskDone:"done:",taskOpen:"to do:",stopped:"You stopped watching this answer. What was begun may go on.",resume:"Show the rest",waiting:t=>t.n===1?"A question waits for you":`${t.n} questions wait for you`,latest:"Latest message",unsent:"Not sent",lost:"The connection was lost. Trying again…",troubled:"{said} Trying again…",tryNow:"Try now",retry:"Try again",unreachable:"The server could not be reached. Check your connection and try again.",unreachableFrom:"The server could not be reached, or does not let pages of {origin} use it. Check your connection; if others can reach it, tell whoever runs it to list this origin.",signedOut:"You are not signed in, or no longer. Sign in and try again.",forbidden:"You may not do this. Ask whoever runs this site for access.",tooMany:"That was too much at once. Wait a moment and try again.",failed:"Something went wrong at the server. Try again.",connectLink:"Connect",tool:"Tool",toolCalls:"{n} tool calls",toolsDone:"all done",toolsFailed:"{n} failed",toolWriting:"preparing",toolRunning:"running",toolAsking:"waits for you",toolDone:"done",toolFailed:"failed",toolDenied:"denied",toolInput:"Input",toolOutput:"Result",toolError:"Error",image:"Image",imageGone:"{name} cannot be shown.",progressOf:"{done} of {total}",connectTitle:"Connect {service}",visitTitle:"{service} asks you to open a page",approvalTitle:"{service} needs your approval",waitingTitle:"Others decide about {service}",approversHave:"Allowed by {have} of the {need} who are needed.",approverAllowed:"allowed it",approverDenied:"denied it",approverAsked:"is asked",approverLate:"did not answer in time",othersAllowed:"Allowed: {reason}.",othersDenied:"Not allowed: {reason}.",takenBack:"You took it back{place}.",takeBack:"Take it back",formTitle:"{service} asks you",someone:"A service without a name",says:"{service} says:",account:"You answer as",toolLabel:"Tool",arguments:"Arguments",argumentLines:"Arguments, {n} lines",noArguments:"None",address:"You will go to",insecure:"This address is not encrypted: others on the network can read what you enter there.",unsafe:"The address of this question is not safe to open, so it is not offered. You can dismiss the question.",connect:"Connect",visit:"Open the page",dismiss:"Dismiss",decline:"Decline",submit:"Send answer",sending:"Sending…",opened:"Continue in the window that has opened. This card closes when it is done.",openedTab:"Continue in the tab that has opened. This card closes when it is done.",blocked:"Your browser kept the window from opening.",sameWindow:"Open it in this window instead",openAgain:"Open it again",confirming:"Done there. Waiting for the server to confirm…",unsupported:"This question cannot be shown here.",hosted:"Answer it on its own page",allow_once:"Allow once",noLimits:"Take the limits back",remark:"Say why, or ask back",narrow:"Limits for a permission that stays",limitsUnused:"You set limits for a permission that stays. Press “{always}” to use them, or take them back.",always_allow:"Always allow",changed:"Allow with changes",edit:"Change the arguments",editHint:"The call is made with what stands here. What is not here stays as it is.",changesUnused:"You changed arguments. Press “{changed}” to use that, or put them back.",deny:"Deny",asked_back:"Ask back",expiresIn:"{time} left",expiresAt:"Open until {time}",secondsLeft:t=>`${$s(Number(t.n))} left to answer ${t.service}.`,announce:"Question from {service}: {message}",connected:"Connected{place}.",notConnected:"Not connected: you dismissed it{place}.",visited:"Done{place}.",allowed_once:"You allowed it once{place}.",allowed_always:"You allowed it from now on{place}.",allowed_changed:"You allowed it with changes{place}.",allowed_as:"You chose{place}: {chosen}.",denied:"You denied it{place}.",asked_back_done:"You asked back{place}: the call was not made.",answered:"Answered{place}.",declined:"Declined{place}.",cancelled:"Cancelled{place}.",withdrawn:"No longer asked.",superseded:"A newer question has taken its place.",expired:"Expired. Nobody answered in time.",onPage:" on the hosted page",inSlack:" in Slack",elsewhere:" elsewhere",answerUnreachable:"The answer could not be sent. Check your connection and try again.",answerSignedOut:"You are not signed in, or no longer. Sign in and answer again.",answerForbidden:"This question is not yours to answer, or it does not exist any more.",answerSettled:"Answered elsewhere in the meantime.",answerFailed:"The server could not take the answer. Try again.",answerInvalid:"Please correct what is marked.",required:"required",choose:"Choose…",yes:"Yes",no:"No",emptyOption:"(empty)",noAnswer:"No answer",localTime:"Your local time, UTC{offset}",error:"Error:",hintLength:"{range} characters",hintChoices:"Choose {range}",from:"From {low} to {high}",atLeast:"At least {low}",atMost:"At most {high}",exactly:"Exactly {low}",errorRequired:"{label} is required.",errorNumber:"{label} must be a number.",errorInteger:"{label} must be a whole number.",errorDigits:"{label} has too many digits to be sent from here exactly.",errorMinimum:"{label} must be at least {n}.",errorMaximum:"{label} must be at most {n}.",errorMinLength:t=>`${t.label} must be at least ${Bn(t)} long.`,errorMaxLength:t=>`${t.label} must be at most ${Bn(t)} long.`,errorPattern:"{label} does not have the form that is asked for.",errorEmail:"{label} must be an email address such as name@example.com.",errorUri:"{label} must be a full address such as https://example.com/page.",errorDate:"{label} must be a date such as 2026-01-31.",errorDateTime:"{label} must be a date and time.",errorMinItems:t=>`${t.label} must have at least ${Qn(t)}.`,errorMaxItems:t=>`${t.label} must have at most ${Qn(t)}.`};function Ze(t){return(e,n={})=>{let i=t?.[e]??ks[e];return typeof i=="function"?i(n):i.replace(/\{(\w+)\}/g,(s,r)=>r in n?String(n[r]):s)}}function Xe(t){return t?.context.serviceTitle?.trim()||t?.context.service?.trim()||""}function ke(t){let e=f(t),n=u(e?.elicitationId),i=e?.mode;if(!(!e||!n||i!=="form"&&i!=="url"))return{elicitationId:n,mode:i,message:u(e.message)??"",url:u(e.url),requestedSchema:e.requestedSchema,fieldOrder:e.fieldOrder===void 0?void 0:$(e.fieldOrder).flatMap(s=>u(s)??[]),expiresAt:u(e.expiresAt),context:_s(f(e.context)??{}),approvers:xs(e.approvers),outcome:Ts(e.outcome)}}function xs(t){let e=f(t),n=e?.need;if(!e||typeof n!="number")return;let i=$(e.people).flatMap(s=>{let r=f(s),o=u(r?.name);if(!r||!o)return[];let l=u(r.decision);return[{name:o,decision:l,late:l===void 0&&u(r.at)!==void 0}]});return{need:n,people:i}}function _s(t){let e=t.arguments;return{trigger:u(t.trigger),service:u(t.service),serviceTitle:u(t.serviceTitle),account:u(t.account),tool:u(t.tool),toolCallId:u(t.toolCallId),parentToolCallId:u(t.parentToolCallId),arguments:typeof e=="string"||e===void 0?e:JSON.stringify(e),server:u(t.server),domain:u(t.domain),settledBy:u(t.settledBy)}}function Ts(t){let e=f(t);if(!e)return;let n=Object.entries(f(e.limits)??{}).flatMap(([o,l])=>typeof l=="string"?[[o,l]]:[]),i={via:u(e.via),reason:u(e.reason),at:u(e.at),decision:u(e.decision),limits:n.length>0?Object.fromEntries(n):void 0},s=e.action;return s==="accept"||s==="decline"||s==="cancel"||s==="expire"?{action:s,by:u(e.by),...i}:{action:"cancel",...i}}var Ht=Ze({allowed_once:"Allowed once{place}.",allowed_always:"Allowed from now on{place}.",allowed_as:"Chosen{place}: {chosen}.",denied:"Denied{place}.",notConnected:"Not connected: dismissed{place}."}),As=new Intl.DateTimeFormat(void 0,{dateStyle:"medium",timeStyle:"short"});function R(t){let e=new Date(t??"");return Number.isNaN(e.valueOf())?"":As.format(e)}var Ss=t=>Le(Xe(t)||Ht("someone"));function J({question:t}){return $e({kind:t.mode==="url"?"connect":"form",question:t,service:Ss(t),say:Ht})}var et=({question:t})=>m(t.message),Es={inbox:"in the inbox",page:"on its page",chat:"in the chat",slack:"in Slack",terminal:"in the terminal"};function Yn({question:t}){let e=t.outcome;if(!e)return{tone:"neutral",sentence:"",where:""};let n=Ke(t,{...e,via:"chat"},{answered:!1,watched:!1},Ht),i=e.by?`by ${m(e.by)}`:"",s=e.via?Es[e.via]??`through ${m(e.via)}`:"";return{...n,where:[i,s,R(e.at)].filter(r=>r!=="").join(" · ")}}var Cs={active:"Connected",expired:"Expired: connect it again",rejected:"Not accepted any more: connect it again",revoked:"Revoked",insufficient_scope:"It may do less than is needed: connect it again"},tt=class extends se{path="/api/connections";words={title:"Connected accounts",none:"No account of yours is connected. You are asked when one is needed.",take:"Disconnect",sure:"Really disconnect"};key(e){return u(e.server)??""}called(e){return m(this.key(e))}removal(e){return`/api/connections/${encodeURIComponent(this.key(e))}?${new URLSearchParams({scope:"user",owner:this.user})}`}about(e){let n=$(e.scopes).flatMap(r=>u(r)??[]),i=u(e.provider)??u(e.issuer),s=u(e.status)??"";return a`<strong>${this.called(e)}</strong>
      <div class=${s==="active"?"good":"bad"}>${Cs[s]??m(s)}</div>
      <div class="meta">Used ${Rs(e)}${i?`, through ${m(i)}`:""}.</div>
      ${n.length>0?a`<div class="meta">It may: ${n.map(m).join(", ")}</div>`:d}
      <div class="meta">${e.used_at?`Last used ${R(u(e.used_at))}`:"Not used yet, as far as is known"}</div>
      <div class="meta">Connected ${R(u(e.created_at))}${e.updated_at?` · renewed ${R(u(e.updated_at))}`:d}</div>`}};function Rs(t){let e=f(t.used_by),i=[...$(e?.agents).flatMap(s=>u(s)??[]).map(s=>`by ${m(s)}`),...e?.gateway===!0?["by programs of yours at the gateway"]:[]];return i.length>0?i.join(", "):e?"by nobody at present":"for calls on your behalf"}var Z=class extends Error{constructor(n,i,s=[]){super(i??`status ${n}`);this.status=n;this.said=i;this.fields=s}status;said;fields;get passing(){return this.status>=500||this.status===408||this.status===425||this.status===429}};async function Kn(t,e,n,i){let s=JSON.stringify({conversationId:n,...i}),r=await Ps(t,e,{method:"POST",body:s});if(!r.ok)throw await Ms(r)}async function Ps(t,e,n){let i=new Headers({"x-supports-elicitation":"true"});n.body!==void 0&&i.set("content-type","application/json");let s=e.token||await e.getToken?.();return s&&i.set("authorization",`Bearer ${s}`),fetch(t,{...n,headers:i,cache:"no-store",credentials:s?"same-origin":"include"})}async function Ms(t){let e=f(z(await t.text().catch(()=>""))),n=e?.error,i=[];for(let s of $(e?.fields)){let r=u(f(s)?.message),o=(u(f(s)?.field)??"").replace(/\[\d+\]$/,"");r&&i.push({field:o,message:r})}return new Z(t.status,u(n)??u(f(n)?.message),i)}function Gn(t){let e=crypto.getRandomValues(new Uint8Array(16));return`${t}_${[...e].map(n=>n.toString(16).padStart(2,"0")).join("")}`}function qs(t){let e=f(t),n=u(e?.id);return n?[{id:n,title:u(e?.title)??"",agent:u(e?.agent)??"",at:u(e?.updatedAt),waiting:e?.waiting===!0}]:[]}var Zn=(t,e)=>`/?${new URLSearchParams({...e&&{agent:e},conversation:t})}`,nt=class extends y{static styles=[k,x,A,S`
      .begin {
        display: flex;
        gap: 0.5rem;
        align-items: center;
      }
      .begin select {
        inline-size: auto;
        max-inline-size: 14rem;
      }
      a.thing {
        color: inherit;
        text-decoration: none;
      }
      a.thing:hover {
        border-color: var(--_text);
      }
      .waits {
        padding: 0 0.6rem;
        border-radius: 1rem;
        background: var(--_accent);
        color: var(--_accent-text);
        font-size: 0.85rem;
      }
    `];#e;#n;#t;#s="";#i;#r=!1;connectedCallback(){super.connectedCallback(),document.addEventListener("visibilitychange",this.#o),this.#o()}disconnectedCallback(){super.disconnectedCallback(),document.removeEventListener("visibilitychange",this.#o)}#o=()=>{document.visibilityState==="visible"&&this.#a(void 0)};async#a(e){if(!this.#r){this.#r=!0,this.#i=void 0,this.requestUpdate();try{this.#t??=$(f(await w("/run/v1/models"))?.data).flatMap(r=>u(f(r)?.id)??[]);let n=f(await w(`/run/api/chat?${new URLSearchParams({limit:"50",...e&&{cursor:e}})}`)),i=$(n?.conversations).flatMap(qs),s=e?(this.#e??[]).filter(r=>!i.some(o=>o.id===r.id)):[];this.#e=[...s,...i],this.#n=u(n?.nextCursor)}catch(n){n instanceof _&&n.status===404?(this.#t=[],this.#e=[]):this.#i=n.message}this.#r=!1,this.requestUpdate()}}render(){return a`<div class="bar">
        <h2>Conversations</h2>
        ${this.#t?.length?this.#c(this.#t):d}
      </div>
      ${this.#i?a`<p class="problem" role="alert">${this.#i} <button type="button" @click=${()=>{this.#a(void 0)}}>Try again</button></p>`:d}
      ${this.#l()}
      <ul class="things">
        ${this.#e?.map(e=>a`<li>${Is(e)}</li>`)}
      </ul>
      ${this.#n?a`<p><button type="button" @click=${()=>{this.#a(this.#n)}}>${this.#r?"Reading…":"Show more"}</button></p>`:d}`}#l(){return this.#t?.length===0?a`<p class="empty">This server has no agents to talk to.</p>`:this.#e?.length===0?a`<p class="empty">You have not said anything yet. Begin a conversation.</p>`:d}#c(e){let n=e.includes(this.#s)?this.#s:e[0],i=s=>{this.#s=s.target.value,this.requestUpdate()};return a`<div class="begin">
      ${e.length>1?a`<select aria-label="With which agent" @change=${i}>
            ${e.map(s=>a`<option value=${s} .selected=${s===n}>${m(s)}</option>`)}
          </select>`:d}
      <button type="button" class="primary" @click=${()=>location.assign(Zn(Gn("conv"),n))}>New conversation</button>
    </div>`}};function Is(t){return a`<a class="thing" href=${Zn(t.id,t.agent)}>
    <span class="about">
      <strong dir="auto">${m(t.title)||"Without words"}</strong>
      <span class="meta"><br />With ${m(t.agent)} · ${R(t.at)}</span>
    </span>
    ${t.waiting?a`<span class="waits">Waits for you</span>`:d}
  </a>`}function Ft(){return window.isSecureContext?!("serviceWorker"in navigator)||!("PushManager"in window)||!("Notification"in window)?/iPhone|iPad/.test(navigator.userAgent)?"home-screen":"missing":{denied:"denied",granted:"allowed",default:"asks"}[Notification.permission]:"insecure"}var it={insecure:"Browsers show notifications of pages that come by https only, and this one does not.",missing:"This browser shows no notifications of pages. Use another one, or be told another way.","home-screen":"On an iPhone or iPad, first add this page to the home screen: Share, then “Add to Home Screen”. Open it from there and come back here.",denied:"This browser was told to show no notifications of this page, and the page cannot ask again. Open the settings of the page, left of its address, allow notifications there, and come back."},ei="/inbox/sw.js",Os=2e4;async function Wt(){return Ft()!=="allowed"?void 0:await(await navigator.serviceWorker.getRegistration(ei))?.pushManager.getSubscription()??void 0}async function Jt(t){let e=await crypto.subtle.digest("SHA-256",new TextEncoder().encode(t.endpoint));return[...new Uint8Array(e,0,16)].map(n=>n.toString(16).padStart(2,"0")).join("")}async function ti(){let t=await Notification.requestPermission();if(t==="denied")throw new _(0,it.denied);if(t!=="granted")throw new _(0,"Nothing was chosen, so nothing was turned on. Press the button again and allow notifications.");let e=await Ns(await Ls(),u(f(await w("/api/me/push-key"))?.key)??""),{endpoint:n,keys:i}=e.toJSON(),s=JSON.stringify({endpoint:n,key:i?.p256dh,auth:i?.auth,label:js(navigator.userAgent)});await w("/api/me/push-subscriptions",{method:"POST",body:s,headers:{"content-type":"application/json"}})}async function ni(t){let e=await Wt();await w(`/api/me/push-subscriptions/${encodeURIComponent(t)}`,{method:"DELETE"}),e&&await Jt(e)===t&&await e.unsubscribe().catch(()=>!1)}function ii(t){return w(`/api/me/push-subscriptions/${encodeURIComponent(t)}/test`,{method:"POST"})}async function Ls(){let t=await navigator.serviceWorker.register(ei).catch(n=>{throw new _(0,`This browser did not take what shows notifications: ${n.message}`)}),e=t.active??t.waiting??t.installing;return e&&e.state!=="activated"&&await Us(e),t}function Us(t){return new Promise((e,n)=>{let i=()=>n(new _(0,"This browser did not start what shows notifications. Reload the page and try again.")),s=setTimeout(i,Os);t.addEventListener("statechange",()=>{t.state!=="activated"&&t.state!=="redundant"||(clearTimeout(s),t.state==="activated"?e():i())})})}async function Ns({pushManager:t},e){let n={userVisibleOnly:!0,applicationServerKey:e};try{return await t.subscribe(n)}catch(i){let s=i;if(s.name==="NotAllowedError")throw new _(0,it.denied);if(s.name!=="InvalidStateError")throw new _(0,Xn)}return await(await t.getSubscription())?.unsubscribe(),t.subscribe(n).catch(()=>{throw new _(0,Xn)})}var Xn="This browser could not reach its push service, which brings notifications to it. Check your connection; some browsers have push messages turned off in their settings.";function js(t){let e=(s,r)=>Object.entries(s).find(([,o])=>o.test(t))?.[0]??r,n=e({Edge:/Edg/,Opera:/OPR\//,Firefox:/Firefox|FxiOS/,Chrome:/Chrome|CriOS/,Safari:/Safari/},"A browser"),i=e({iPhone:/iPhone/,iPad:/iPad/,Android:/Android/,Windows:/Windows/,Mac:/Mac OS X|Macintosh/,ChromeOS:/CrOS/,Linux:/Linux/},"");return i?`${n} on ${i}`:n}var st=class extends y{static styles=[k,x,A];static properties={reach:{}};#e;#n;connectedCallback(){super.connectedCallback(),navigator.permissions?.query({name:"notifications"}).then(e=>{this.#n=e,this.isConnected&&e.addEventListener("change",this.#t)}).catch(()=>{})}disconnectedCallback(){super.disconnectedCallback(),this.#n?.removeEventListener("change",this.#t)}willUpdate(e){e.has("reach")&&this.#t()}#t=()=>{Wt().then(e=>e&&Jt(e)).catch(()=>{}).then(e=>{this.#e=e,this.requestUpdate()})};render(){let{devices:e}=this.reach;return a`<section aria-labelledby="devices">
      <h3 id="devices">Notifications in your browsers</h3>
      ${this.#s()}
      ${e.length===0?a`<p class="meta">No browser of yours shows any so far.</p>`:a`<ul class="things">
            ${e.map(n=>this.#i(n))}
          </ul>`}
    </section>`}#s(){let e=Ft();return e!=="asks"&&e!=="allowed"?a`<p class="notice">${it[e]}</p>`:e==="allowed"&&this.reach.devices.some(n=>n.id===this.#e)?d:a`<p>
      <button type="button" class="primary" id="on" @click=${this.#r}>Turn on in this browser</button>
    </p>`}#i(e){let n=m(e.label??"A browser"),i=e.id===this.#e;return a`<li class="thing">
      <div class="about">
        <strong>${n}</strong>${i?a` <span class="good">this one</span>`:d}
        <div class="meta">Since ${R(e.since)}</div>
      </div>
      <div class="buttons">
        <button type="button" aria-label="Send a test: ${n}" @click=${()=>this.#o(e)}>Send a test</button>
        <button type="button" class="quiet" aria-label="Turn off: ${n}" @click=${()=>this.#a(e,n)}>Turn off</button>
      </div>
    </li>`}#r=()=>N(this,{work:async()=>(await ti(),"This browser shows notifications now. Send a test to see one."),focus:".buttons > button, #on"});#o(e){N(this,{work:async()=>(await ii(e.id),"Sent. It appears within a few seconds. If it does not, look whether the system of that device keeps notifications back.")})}#a(e,n){N(this,{work:async()=>(await ni(e.id),`No more notifications: ${n}.`),focus:"#on, .buttons > button"})}};function rt(t,e){let n=f(t)??{};return{items:$(n.items).flatMap(i=>ae(i,e)??[]),next:u(n.next_cursor)}}function ae(t,e){let n=f(t),i=u(n?.id);if(!n||!i)return;let s=f(n.labels)??{},r=h=>u(s[h]),o=r("brief"),l=o===void 0?si(n,s,e):Ds(n,s,o,`${e}/answer/${i}`),c=ke(l);if(c)return{id:i,pending:n.state==="pending",createdAt:u(n.created_at)??"",asker:r("asker")===u(n.to)?void 0:r("asker"),conversation:u(n.session),others:c.context.trigger==="approvers",long:o!==void 0,request:l,question:c}}function si(t,e,n){let i=u(t.url)?.startsWith(`${n}/`);return{elicitationId:t.id,mode:t.mode,message:t.message,url:t.url,requestedSchema:t.requested_schema,expiresAt:t.expires_at,context:{trigger:t.trigger,service:t.from,serviceTitle:e.title,account:t.to,server:e.server,tool:e.tool,settledBy:i?"page":e.settled_by},approvers:t.approvers,outcome:zs(t.outcome)}}function Ds(t,e,n,i){return{...si({...t,url:i},e,new URL(i).origin),mode:"url",message:n,requestedSchema:void 0}}function zs(t){let e=f(t);return e&&{...e,decision:e.decision??f(e.content)?.decision}}var ot=class extends y{static styles=[k,x,A];static properties={user:{}};#e=[];#n;#t=!1;#s;firstUpdated(){this.#i()}async#i(){if(!this.#t){this.#t=!0,this.#s=void 0,this.requestUpdate();try{let e=new URLSearchParams({state:"settled",user:this.user,limit:"50",...this.#n&&{cursor:this.#n}}),n=rt(await w(`/api/elicitations?${e}`),location.origin);this.#e=[...this.#e,...n.items],this.#n=n.next}catch(e){this.#s=e.message}this.#t=!1,this.requestUpdate()}}render(){return a`<div class="bar"><h2>What was settled</h2></div>
      ${this.#e.length===0&&!this.#t&&!this.#s&&!this.#n?a`<p class="empty">Nothing was asked of you yet, or it was forgotten.</p>`:d}
      <ul class="things">${this.#e.map(Hs)}</ul>
      ${this.#s?a`<p class="problem" role="alert">${this.#s}</p>`:d}
      ${this.#n||this.#s?a`<p><button type="button" @click=${()=>{this.#i()}}>${this.#t?"Reading…":"Show more"}</button></p>`:d}`}};function Hs(t){let e=Yn(t);return a`<li class="thing">
    <div class="about">
      <strong dir="auto">${J(t)}</strong>
      <div class="clip" dir="auto">${et(t)}</div>
      <div class="meta">Asked ${R(t.createdAt)}${t.asker?` for ${m(t.asker)}`:""} · <a href="/answer/${t.id}">Its page</a></div>
    </div>
    <div>
      <span class=${e.tone}>${e.sentence}</span>
      <div class="meta">${e.where}</div>
    </div>
  </li>`}var Fs=4;function Vt({question:t,long:e,others:n},i){if(n)return;let s=t.mode==="form"?re(t.requestedSchema)?.[0]:void 0;return t.context.trigger==="tool_approval"&&!e&&s?.name==="decision"&&s.options.some(o=>o.value===i)?{action:"accept",content:{decision:i}}:i==="deny"?{action:"decline"}:void 0}var at=class extends y{static styles=[k,x,A,De];static properties={items:{attribute:!1}};#e=[];#n=new Map;#t="asking";focus(){this.updateComplete.then(()=>this.renderRoot.querySelector("h2")?.focus())}willUpdate(){this.#t==="asking"&&(this.#e=this.items)}render(){let e=this.#e.filter(n=>!Vt(n,"allow_once")).length;return a`<h2 tabindex="-1">${this.#e.length} questions</h2>
      ${e>0&&this.#t==="asking"?a`<p class="muted">${e} of them cannot be allowed from here. They stay open when you allow the others, and are declined, where that is possible, when you deny them all.</p>`:d}
      <div class="bar">${this.#i(e)}</div>
      <div role="status" class="meta">${this.#r()}</div>
      <table>
        <thead>
          <tr><th scope="col">Question</th><th scope="col">What it says</th><th scope="col">Result</th></tr>
        </thead>
        <tbody>
          ${this.#e.map(n=>this.#s(n))}
        </tbody>
      </table>`}#s(e){let n=this.#n.get(e.id),i=e.question.context.trigger==="tool_approval";return a`<tr>
      <td>${J(e)}</td>
      <td class="words" dir="auto">${i?G(e.question.message):U(e.question.message)}</td>
      <td class=${n?.tone??""}>${n?.text??"Open"}</td>
    </tr>`}#i(e){if(this.#t==="done")return a`<button type="button" class="primary" @click=${()=>this.#l("inbox-done","")}>Back to the list</button>`;let n=this.#t==="sending";return a`<button type="button" id="allow" aria-disabled=${n||e===this.#e.length} @click=${()=>{this.#o("allow_once")}}>
        Allow each once
      </button>
      <button type="button" id="deny" aria-disabled=${n} @click=${()=>{this.#o("deny")}}>Deny each</button>`}#r(){if(this.#t==="asking")return"";let e=[...this.#n.values()].filter(n=>n.tone==="bad").length;return`${this.#n.size} of ${this.#e.length} done${e>0?`, ${e} not as you said`:""}.`}async#o(e){if(this.#t!=="asking"||e==="allow_once"&&!this.#e.some(s=>Vt(s,e)))return;this.#t="sending",this.requestUpdate();let n=[...this.#e],i=async()=>{for(let s=n.shift();s;s=n.shift())await this.#a(s,e)};await Promise.all(Array.from({length:Fs},i)),this.#t="done",this.requestUpdate()}async#a(e,n){let i=Vt(e,n);if(!i)this.#n.set(e.id,{tone:"muted",text:"Left open: answer it by itself."});else try{await xn(e.id,i.action,i.content),this.#n.set(e.id,{tone:"good",text:n==="allow_once"?"Allowed once.":i.content?"Denied.":"Declined."}),this.#l("inbox-answered",e.id)}catch(s){this.#n.set(e.id,{tone:"bad",text:s.message})}this.requestUpdate()}#l(e,n){this.dispatchEvent(new CustomEvent(e,{detail:n}))}};var dt=class extends se{path="/api/permissions";words={title:"What you have allowed and refused",none:"Nothing is allowed or refused for good. You are asked each time.",take:"Take back",sure:"Really take back"};key(e){return u(e.id)??""}called(e){let n=u(e.tool),i=m(u(e.server)??"");return n?[m(n),i&&`of ${i}`].join(" ").trim():`every tool of ${i}`}removal(e){return`/api/permissions/${encodeURIComponent(this.key(e))}?${new URLSearchParams({user:this.user})}`}about(e){let n=e.effect==="allow",i=u(e.until),s=u(e.arguments),r=[e.once===!0?"for one call":"",e.session?"in one conversation":"",e.digest?"with these arguments only":"with any arguments",i?`until ${R(i)}`:"until you take it back"].filter(o=>o!=="");return a`<strong><span class=${n?"good":"bad"}>${n?"Allowed":"Refused"}</span>: ${this.called(e)}</strong>
      <div>${r.join(", ")}</div>
      ${s?a`<pre tabindex="0" role="region" aria-label="Arguments of ${this.called(e)}">${Ue(s)}</pre>`:d}
      <div class="meta">Since ${R(u(e.created_at))} · used ${String(e.uses??0)} times</div>`}};var ri=te(class extends H{constructor(){super(...arguments),this.key=d}render(t,e){return this.key=t,e}update(t,[e,n]){return e!==this.key&&(ie(t),this.key=e),n}});var lt=class{constructor(e){this.changed=e}changed;#e="";#n;show(e){let n=e?.others&&e.pending?e.id:"";if(n===this.#e||(this.#n?.abort(),this.#e=n,!n))return;let i=this.#n=new AbortController,s=r=>{let o=ae(r,location.origin);!o||i.signal.aborted||(o.pending||i.abort(),this.changed(o))};Ne(`/api/elicitations/${encodeURIComponent(n)}/events`,{item:s,reload:()=>{},connected:()=>{}},i.signal)}};var ct=class{constructor(e,n,i){this.user=e;this.changed=n;this.settled=i}user;changed;settled;items=[];next;loading=!0;problem;connected=!0;#e;#n=new Set;run(e){return Ne(_n(this.user),{item:n=>this.#s(ae(n,location.origin)),reload:()=>{this.reload()},connected:n=>{!n&&!this.#e&&this.reload(),n!==this.connected&&(this.connected=n,this.changed())}},e)}async reload(){await this.#e,await(this.#e=this.#i(async()=>{let e=this.items,n=[],i;do{let o=await this.#r(i);n.push(...o.items),i=o.next}while(i&&n.length<e.length);this.items=n,this.next=i;let s=new Set(n.map(o=>o.id)),r=n.at(-1)?.id??"";for(let o of e)!s.has(o.id)&&(!i||o.id>r)&&await this.#t(o.id)}))}async more(){!this.next||this.loading||await(this.#e=this.#i(async()=>{let e=await this.#r(this.next);this.items=oi(this.items,e.items),this.next=e.next}))}async upTo(e){for(await this.#e;this.next&&!this.problem&&this.items.length<e;)await this.more()}remove(e){this.#n.add(e),this.items=this.items.filter(n=>n.id!==e),this.changed()}async#t(e){this.#s(ae(await w(`/api/elicitations/${encodeURIComponent(e)}`),location.origin))}#s(e){e&&(e.pending?this.items=oi(this.items,this.#n.has(e.id)?[]:[e]):(this.remove(e.id),this.settled(e)),this.changed())}async#i(e){this.loading=!0,this.problem=void 0,this.changed();try{await e()}catch(n){this.problem=n.message}this.loading=!1,this.#e=void 0,this.changed()}async#r(e){let n=new URLSearchParams({state:"pending",user:this.user,limit:"50",...e&&{cursor:e}}),i=rt(await w(`/api/elicitations?${n}`),location.origin);return{...i,items:i.items.filter(s=>!this.#n.has(s.id))}}};function oi(t,e){return[...new Map([...t,...e].map(i=>[i.id,i])).values()].sort((i,s)=>i.id<s.id?1:-1)}var Bt=500,ut=class extends y{static styles=[k,x,A,De];static properties={user:{}};#e;#n;#t;#s=new lt(e=>this.#b(()=>this.#t?.id===e.id&&(this.#t=e)));#i="";#r=!1;#o=new Map;#a=!1;#l;#c;#h="";connectedCallback(){super.connectedCallback(),this.addEventListener("keydown",this.#T),this.addEventListener("parley-answered",this.#m),this.addEventListener("parley-hint",()=>{this.#e?.reload()})}disconnectedCallback(){super.disconnectedCallback(),this.removeEventListener("keydown",this.#T),this.removeEventListener("parley-answered",this.#m),this.#n?.abort(),this.#s.show(void 0),this.#e=void 0}#A(){this.#n=new AbortController;let e=new ct(this.user,()=>this.#w(),n=>this.#d(n));return e.run(this.#n.signal),e}#w(){let{items:e,next:n,loading:i}=this.#e;(!this.#i||!e.some(o=>o.id===this.#i))&&this.#p();let s=e.filter(o=>!o.others).length,r=s===0?"":`${s}${n?"+":""}`;!i&&r!==this.#c&&(this.#c=r,this.dispatchEvent(new CustomEvent("inbox-count",{detail:r}))),this.requestUpdate()}#p(){let e=this.shadowRoot?.activeElement?.classList.contains("row"),{items:n}=this.#e;this.#i=(n.find(i=>i.id<this.#i)??n.at(-1))?.id??"",e&&(this.#l="row")}#d(e){this.#o.delete(e.id),this.#t?.id===e.id?this.#t=e:this.#h=`No longer open: ${J(e)}`}#m=e=>this.#e?.remove(e.detail.elicitationId);render(){let e=this.#e??=this.#A(),n=this.#t!==void 0||this.#a;return a`<div class="panes ${n?"opened":""}">
        <div class="choose">${this.#g(e)} ${this.#$(e)} ${this.#S(e)}</div>
        <section class="detail ${n?"":"none"}" aria-label="Open question">${this.#C(e)}</section>
      </div>
      <div class="hidden" role="status">${this.#h}</div>`}#g({items:e,next:n}){return e.length===0?d:a`<div class="bar">
      <h2>Waiting for you</h2>
      ${this.#r?a`<button type="button" @click=${()=>{this.#v()}}>Choose all${n?`, up to ${Bt}`:""}</button>
            <button type="button" class="primary" aria-disabled=${this.#o.size===0} @click=${this.#x}>Answer ${this.#o.size}…</button>
            <button type="button" class="quiet" @click=${this.#u}>Cancel</button>`:a`<button type="button" @click=${()=>this.#b(()=>this.#r=!0)}>Choose several</button>`}
    </div>`}#$({problem:e,connected:n,loading:i,items:s}){return a`${e?a`<p class="problem" role="alert">${e} <button type="button" @click=${()=>{this.#e?.reload()}}>Try again</button></p>`:d}
      ${n?d:a`<p class="notice" role="status">The connection is lost. Trying again…</p>`}
      ${s.length>0||e?d:i?a`<p class="empty">Looking for questions…</p>`:a`<p class="empty">Nothing waits for you. New questions appear here by themselves.</p>`}`}#S({items:e,next:n,loading:i}){return e.length===0?d:a`<p class="hidden" id="keys">Use j and k or the arrow keys to go from one to the next, Enter to open one, Escape to come back.</p>
      <ul class="list" aria-label="Open questions" aria-describedby="keys" @scroll=${this.#_}>
        ${We(e,s=>s.id,s=>this.#E(s))}
        ${n?a`<li class="more"><button type="button" @click=${()=>{this.#e?.more()}}>${i?"Reading…":"Show more"}</button></li>`:d}
      </ul>`}#E(e){let n=e.asker?` · for ${m(e.asker)}`:"";return a`<li>
      ${this.#r?a`<label class="pick"><span class="hidden">Choose: ${J(e)}</span
            ><input type="checkbox" .checked=${this.#o.has(e.id)} @change=${()=>this.#P(e)} /></label>`:d}
      <button type="button" class="row" data-id=${e.id} tabindex=${e.id===this.#i?0:-1} aria-current=${e.id===this.#t?.id}
        @focus=${()=>this.#b(()=>this.#i=e.id)} @click=${()=>this.#y(e)}>
        <strong dir="auto">${J(e)}</strong>
        <span class="clip" dir="auto">${et(e)}</span>
        <span class="meta">${R(e.createdAt)}${n}</span>
      </button>
    </li>`}#C(e){let n=a`<button type="button" class="back" @click=${this.#k}>Back to the list</button>`;if(this.#a)return a`${n}<parley-inbox-many .items=${[...this.#o.values()]} @inbox-done=${this.#u}
          @inbox-answered=${o=>e.remove(o.detail)}></parley-inbox-many>`;let i=this.#t;if(!i)return a`<p class="empty keys">${e.items.length===0?d:a`Choose a question: <kbd>j</kbd> <kbd>k</kbd> <kbd>Enter</kbd>`}</p>`;let s=e.items.some(o=>o.id!==i.id),r=!i.pending||!e.items.some(o=>o.id===i.id);return a`${n}
      <p class="meta">Asked ${R(i.createdAt)}${i.asker?a` for <bdi>${m(i.asker)}</bdi>`:d} ·
        <a href="/answer/${i.id}" target="_blank" rel="noopener">Its own page</a></p>
      ${ri(i.id,a`<parley-question .request=${i.request} endpoint="/answer/${i.id}"></parley-question>`)}
      ${r?a`<div class="after">
            ${s?a`<button type="button" class="primary" id="next" @click=${this.#R}>Next question</button>`:a`<p class="muted">Nothing else waits for you.</p>`}
          </div>`:d}`}#b(e){e(),this.requestUpdate()}#y(e){this.#t=e,this.#i=e.id,this.#a=!1,this.#l="question",this.requestUpdate()}#R=()=>{let{items:e}=this.#e,n=e.find(i=>i.id<(this.#t?.id??""))??e[0];n&&this.#y(n)};#k=()=>{this.#t=void 0,this.#a=!1,this.#l="row",this.requestUpdate()};#P(e){this.#o.delete(e.id)||this.#o.set(e.id,e),this.requestUpdate()}async#v(){await this.#e?.upTo(Bt);for(let e of this.#e?.items.slice(0,Bt)??[])this.#o.set(e.id,e);this.requestUpdate()}#x=()=>{this.#o.size!==0&&(this.#a=!0,this.#t=void 0,this.#l="many",this.requestUpdate())};#u=()=>{this.#a&&this.#e?.reload(),this.#r=this.#a=!1,this.#o.clear(),this.#l="row",this.requestUpdate()};#_=e=>{let n=e.currentTarget;n.scrollHeight-n.scrollTop-n.clientHeight<400&&this.#e?.more()};#T=e=>{let n=e.composedPath()[0],i=/^(input|textarea|select)$/i.test(n.tagName)||n.isContentEditable;if(e.ctrlKey||e.metaKey||e.altKey||e.defaultPrevented)return;if(e.key==="Escape"&&(this.#t||this.#a))return e.preventDefault(),this.#k();let s=n.classList.contains("row"),r={j:1,k:-1,...s&&{ArrowDown:1,ArrowUp:-1}}[e.key];i||r===void 0||(e.preventDefault(),this.#f(r,s))};#f(e,n){let{items:i}=this.#e,s=i.findIndex(o=>o.id===this.#i),r=i[Math.max(0,Math.min(i.length-1,n?s+e:s))];r&&(this.#i=r.id,this.#l="row",s+e>=i.length-5&&this.#e?.more(),this.requestUpdate())}async updated(){this.#s.show(this.isConnected?this.#t:void 0);let e=this.#l;if(this.#l=void 0,e==="row"&&this.renderRoot.querySelector(`.row[data-id="${CSS.escape(this.#i)}"]`)?.focus(),e==="many"&&this.renderRoot.querySelector("parley-inbox-many")?.focus(),e!=="question")return;let n=this.renderRoot.querySelector("parley-question");await n?.updateComplete,n?.focus()}};function Qt(t,e,n){let i=ai(t);if(!i||i.protocol!=="https:"&&i.protocol!=="http:"||i.username!==""||i.password!=="")return;let{hostname:s,host:r,href:o,origin:l}=i,c=n&&(s===n||s.endsWith(`.${n}`)),h=c?n:r,g=o.indexOf("//")+2+(c?s.length-n.length:0);return{href:o,before:o.slice(0,g),trust:h,after:o.slice(g+h.length),foreign:l!==ai(e)?.origin,insecure:i.protocol==="http:"&&!Ws(s)}}function ai(t){try{return new URL(t??"")}catch{return}}function Ws(t){return t==="localhost"||t.endsWith(".localhost")||t==="[::1]"||/^127(\.\d+){3}$/.test(t)}var pt=class{#e=0;now(){return Date.now()+this.#e}note(e){let n=Date.parse(e.headers.get("date")??"");if(Number.isNaN(n))return;let i=n+500-Date.now();this.#e=Math.abs(i)>2e3?i:0}},xe=1e3,ft=60*xe,ht=60*ft,di=24*ht;function li(t){let e=Math.max(0,t);if(e>=2*di)return`${Math.floor(e/di)} d`;if(e>=ht)return`${Math.floor(e/ht)} h ${Math.floor(e%ht/ft)} min`;let n=Math.ceil(e/xe);return`${Math.floor(n/60)}:${String(n%60).padStart(2,"0")}`}var Js=[5*ft,ft,30*xe,10*xe];function ci(t,e){let n=Js.filter(i=>t>i&&e<=i);return n.length>0&&e>0?Math.min(...n)/xe:void 0}var mt=class{constructor(e,n,i){this.host=e;this.say=n;this.over=i;e.addController(this)}host;say;over;left;#e=Number.NaN;#n;#t;#s=!1;start(e,n){this.#e=Date.parse(e??""),this.#n=n;let i=this.#e-n.now();this.left=i>0?i:void 0,this.#i()}stop(){this.left=void 0,this.#i()}hostConnected(){this.#s=!0,this.#i()}hostDisconnected(){this.#s=!1,this.#i()}#i(){clearInterval(this.#t),this.#s&&this.left!==void 0&&(this.#t=setInterval(()=>this.#r(),1e3))}#r(){let e=this.left??0;this.left=Math.max(0,this.#e-this.#n.now());let n=ci(e,this.left);n!==void 0&&this.say(n),this.left===0&&(this.stop(),this.over()),this.host.requestUpdate()}};function ui(t){let e=Math.min(560,screen.availWidth),n=Math.min(760,screen.availHeight),i=Math.round(window.screenX+(window.outerWidth-e)/2),s=Math.round(window.screenY+(window.outerHeight-n)/2),r=window.open(t,"parley-connect",`popup,width=${e},height=${n},left=${i},top=${s}`);return!r||r.closed?!1:(r.focus(),!0)}var hi=S`
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
`;var Vs=6e4,gt=class extends y{static styles=[k,x,hi];static properties={request:{attribute:!1},endpoint:{},base:{},conversation:{},token:{attribute:!1},getToken:{attribute:!1},strings:{attribute:!1},theme:{reflect:!0},clock:{attribute:!1}};#e;#n;#t={};#s=Object.create(null);#i;#r="ready";#o;#a={answered:!1,watched:!1};#l="";#c;#h=new mt(this,e=>this.#l=this.#d("secondsLeft",{n:e,service:this.#m()}),()=>this.#p({action:"expire"}));constructor(){super(),this.clock=new pt}get pending(){return this.#e!==void 0&&!this.#e.outcome&&!this.#o}focus(e){this.renderRoot.querySelector("#outcome, #title")?.focus(e)}refuse(e,n=[]){this.#_("ready"),this.#i=[e,...this.#x(n)].join(" "),this.requestUpdate()}connectedCallback(){super.connectedCallback(),window.addEventListener("message",this.#y)}disconnectedCallback(){super.disconnectedCallback(),window.removeEventListener("message",this.#y)}willUpdate(e){e.has("request")&&this.#A(ke(this.request))}#A(e){let n=e?.elicitationId!==this.#e?.elicitationId;this.#e=e,n&&(this.#n=e?.mode==="form"?re(e.requestedSchema,e.fieldOrder):void 0,this.#t=It(this.#n??[]),this.#s=Object.create(null),this.#i=this.#o=void 0,this.#r="ready",this.#a={answered:!1,watched:!1},this.#h.start(e?.expiresAt,this.clock)),this.pending?this.#a.watched=!0:this.#w()}#w(){this.#h.stop(),this.shadowRoot?.activeElement&&(this.#c="outcome")}#p(e){this.#o=e,this.#w(),this.requestUpdate()}get#d(){return Ze(this.strings)}#m(){return Le(Xe(this.#e)||this.#d("someone"))}#g(){return new URL(this.base||this.endpoint||location.origin,document.baseURI).href}#$(){let e=this.#e;if(e.context.trigger==="approvers")return"waiting";if(e.mode==="url")return"connect";if(!this.#n)return"unsupported";let[n,...i]=this.#n;return e.context.trigger==="tool_approval"&&n?.name==="decision"&&n.kind==="choice"&&!i.some(r=>r.required||r.kind!=="choice"&&!D(r)&&!(r.kind==="string"&&r.name==="reason"))?"approval":"form"}render(){if(!this.#e)return d;let e=this.#E(this.#e),n=this.#S();return a`${n?Jn(e,n):Fn(e,this.#C())}
      <div class="hidden" role="status">${n&&this.#a.watched?n.sentence:this.#l}</div>
      <div class="hidden" role="alert">${n?d:this.#i}</div>`}#S(){let e=this.#e.outcome??this.#o;return e==="elsewhere"?{tone:"neutral",sentence:this.#d("answerSettled")}:e&&Ke(this.#e,e,this.#a,this.#d)}#E(e){let n=this.#g();return{kind:this.#$(),question:e,service:this.#m(),phase:this.#r,problem:this.#i,address:e.mode==="url"?Qt(e.url,n,e.context.domain):void 0,hosted:new URL(`answer/${encodeURIComponent(e.elicitationId)}`,new URL("/",n)).href,fields:this.#n??[],entries:this.#t,errors:this.#s,say:this.#d,open:this.#b,submit:this.#R,decline:()=>{this.#u("decline")},decide:i=>this.#k(i),enter:(i,s)=>{this.#t={...this.#t,[i]:s},delete this.#s[i],this.requestUpdate()}}}#C(){let{left:e}=this.#h;if(e===void 0)return d;let n=new Date(this.#e?.expiresAt??"").toLocaleString(this.lang||void 0);return a`<span class="timer ${e<=Vs?"soon":""}" role="timer" aria-live="off"
      title=${this.#d("expiresAt",{time:n})}>${C.clock}${this.#d("expiresIn",{time:li(e)})}</span>`}#b=e=>{let{url:n,context:i}=this.#e,s=Qt(n,this.#g());if(!s)return e.preventDefault();this.#i=void 0,this.#r=s.foreign||ui(s.href)?"opened":"blocked",this.requestUpdate(),s.foreign&&i.trigger==="mcp_elicitation"&&i.settledBy!=="page"&&this.#u("accept")};#y=e=>{let n=e.data;!this.pending||n?.type!=="parley:settled"||n.elicitationId!==this.#e?.elicitationId||e.origin===new URL(this.#g()).origin&&(this.#r="confirming",this.requestUpdate(),this.#f("parley-hint",{elicitationId:n.elicitationId}))};#R=e=>{e.preventDefault();let{content:n,errors:i}=ge(this.#n??[],this.#t,this.#d);this.#s=i,Object.keys(i).length>0?this.#v():this.#u("accept",n)};#k(e){let[n,...i]=this.#n??[],s=i.filter(D);if(e==="changed")return this.#P(s);let{content:r}=ge(i.filter(p=>p.kind==="choice"&&!D(p)),this.#t,this.#d),o=e==="always_allow";if(e==="allow_once"&&Object.keys(r).length>0){let p=n?.options.find(v=>v.value==="always_allow")?.label??this.#d("always_allow");return this.#i=this.#d("limitsUnused",{always:m(p)}),this.requestUpdate()}let l=o||e==="allow_once",c=It(s);if(l&&s.some(p=>this.#t[p.name]!==c[p.name]))return this.#i=this.#d("changesUnused",{changed:this.#d("changed")}),this.requestUpdate();let{content:h}=ge(i.filter(p=>p.kind==="string"&&!D(p)),this.#t,this.#d),g={...o&&r,...!l&&h,decision:e};this.#u("accept",g,zt(this.#n??[],g))}#P(e){let{content:n,errors:i}=ge(e,this.#t,this.#d);this.#s=i,Object.keys(i).length>0?this.#v():this.#u("accept",{...n,decision:"changed"})}#v(){this.#i=this.#d("answerInvalid");let e=this.#n?.findIndex(n=>n.name in this.#s)??-1;e>=0&&(this.#c=Dn({id:`field-${e}`,field:this.#n[e]})),this.requestUpdate()}#x(e){let n=[];for(let{field:i,message:s}of e)this.#n?.some(r=>r.name===i)?this.#s[i]=s:n.push(s);return n}async#u(e,n,i){if(this.#r==="sending"||!this.pending)return;let{elicitationId:s}=this.#e,r={elicitationId:s,action:e,...n&&{content:n}},o=this.#r;if(this.#r="sending",this.#i=void 0,this.#a={answered:!0,watched:!0,decision:this.#$()==="approval"?String(n?.decision):void 0,chosen:i},this.requestUpdate(),!this.#f("parley-answer",r)||!this.endpoint)return;let l=()=>this.#e?.elicitationId===s;try{await Kn(this.endpoint,{base:"",token:this.token,getToken:this.getToken},this.conversation??"",r)}catch(c){l()&&this.#T(c,o);return}l()&&this.#p({action:e}),this.#f("parley-answered",r)}#_(e){this.#r=e,this.#a={answered:!1,watched:!0}}#T(e,n){this.#_(n);let i=e instanceof Z?e.status:0;if(e instanceof Z&&i===400){let s=this.#x(e.fields);this.#v(),(s.length>0||e.fields.length===0)&&(this.#i=s.join(" ")||e.said||this.#d("answerFailed"))}else i===409?this.#p("elsewhere"):i===410?this.#p({action:"expire"}):i===401?this.#i=this.#d("answerSignedOut"):i===403||i===404?this.#i=this.#d("answerForbidden"):this.#i=this.#d(i===0?"answerUnreachable":"answerFailed");this.requestUpdate(),this.#f("parley-refused",{elicitationId:this.#e.elicitationId,status:i})}#f(e,n){return this.dispatchEvent(new CustomEvent(e,{bubbles:!0,composed:!0,cancelable:e==="parley-answer",detail:n}))}updated(){let e=this.#c;this.#c=void 0,e&&this.renderRoot.querySelector(`#${e}`)?.focus()}};customElements.define("parley-question",gt);customElements.define("parley-inbox-many",at);customElements.define("parley-inbox-questions",ut);customElements.define("parley-inbox-history",ot);customElements.define("parley-inbox-connections",tt);customElements.define("parley-inbox-permissions",dt);customElements.define("parley-inbox-absence",He);customElements.define("parley-inbox-channels",Je);customElements.define("parley-inbox-conversations",nt);customElements.define("parley-inbox-devices",st);customElements.define("parley-inbox-notifications",ze);customElements.define("parley-inbox",je);
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
