var ve=globalThis,$e=ve.ShadowRoot&&(ve.ShadyCSS===void 0||ve.ShadyCSS.nativeShadow)&&"adoptedStyleSheets"in Document.prototype&&"replace"in CSSStyleSheet.prototype,at=Symbol(),Lt=new WeakMap,se=class{constructor(e,n,i){if(this._$cssResult$=!0,i!==at)throw Error("CSSResult is not constructable. Use `unsafeCSS` or `css` instead.");this.cssText=e,this.t=n}get styleSheet(){let e=this.o,n=this.t;if($e&&e===void 0){let i=n!==void 0&&n.length===1;i&&(e=Lt.get(n)),e===void 0&&((this.o=e=new CSSStyleSheet).replaceSync(this.cssText),i&&Lt.set(n,e))}return e}toString(){return this.cssText}},Ot=t=>new se(typeof t=="string"?t:t+"",void 0,at),C=(t,...e)=>{let n=t.length===1?t[0]:e.reduce((i,r,s)=>i+(o=>{if(o._$cssResult$===!0)return o.cssText;if(typeof o=="number")return o;throw Error("Value passed to 'css' function must be a 'css' function result: "+o+". Use 'unsafeCSS' to pass non-literal values, but take care to ensure page security.")})(r)+t[s+1],t[0]);return new se(n,t,at)},Ut=(t,e)=>{if($e)t.adoptedStyleSheets=e.map(n=>n instanceof CSSStyleSheet?n:n.styleSheet);else for(let n of e){let i=document.createElement("style"),r=ve.litNonce;r!==void 0&&i.setAttribute("nonce",r),i.textContent=n.cssText,t.appendChild(i)}},dt=$e?t=>t:t=>t instanceof CSSStyleSheet?(e=>{let n="";for(let i of e.cssRules)n+=i.cssText;return Ot(n)})(t):t;var{is:Wn,defineProperty:Vn,getOwnPropertyDescriptor:Bn,getOwnPropertyNames:Qn,getOwnPropertySymbols:Yn,getPrototypeOf:Kn}=Object,we=globalThis,Nt=we.trustedTypes,Gn=Nt?Nt.emptyScript:"",Zn=we.reactiveElementPolyfillSupport,oe=(t,e)=>t,lt={toAttribute(t,e){switch(e){case Boolean:t=t?Gn:null;break;case Object:case Array:t=t==null?t:JSON.stringify(t)}return t},fromAttribute(t,e){let n=t;switch(e){case Boolean:n=t!==null;break;case Number:n=t===null?null:Number(t);break;case Object:case Array:try{n=JSON.parse(t)}catch{n=null}}return n}},zt=(t,e)=>!Wn(t,e),jt={attribute:!0,type:String,converter:lt,reflect:!1,useDefault:!1,hasChanged:zt};Symbol.metadata??=Symbol("metadata"),we.litPropertyMetadata??=new WeakMap;var I=class extends HTMLElement{static addInitializer(e){this._$Ei(),(this.l??=[]).push(e)}static get observedAttributes(){return this.finalize(),this._$Eh&&[...this._$Eh.keys()]}static createProperty(e,n=jt){if(n.state&&(n.attribute=!1),this._$Ei(),this.prototype.hasOwnProperty(e)&&((n=Object.create(n)).wrapped=!0),this.elementProperties.set(e,n),!n.noAccessor){let i=Symbol(),r=this.getPropertyDescriptor(e,i,n);r!==void 0&&Vn(this.prototype,e,r)}}static getPropertyDescriptor(e,n,i){let{get:r,set:s}=Bn(this.prototype,e)??{get(){return this[n]},set(o){this[n]=o}};return{get:r,set(o){let d=r?.call(this);s?.call(this,o),this.requestUpdate(e,d,i)},configurable:!0,enumerable:!0}}static getPropertyOptions(e){return this.elementProperties.get(e)??jt}static _$Ei(){if(this.hasOwnProperty(oe("elementProperties")))return;let e=Kn(this);e.finalize(),e.l!==void 0&&(this.l=[...e.l]),this.elementProperties=new Map(e.elementProperties)}static finalize(){if(this.hasOwnProperty(oe("finalized")))return;if(this.finalized=!0,this._$Ei(),this.hasOwnProperty(oe("properties"))){let n=this.properties,i=[...Qn(n),...Yn(n)];for(let r of i)this.createProperty(r,n[r])}let e=this[Symbol.metadata];if(e!==null){let n=litPropertyMetadata.get(e);if(n!==void 0)for(let[i,r]of n)this.elementProperties.set(i,r)}this._$Eh=new Map;for(let[n,i]of this.elementProperties){let r=this._$Eu(n,i);r!==void 0&&this._$Eh.set(r,n)}this.elementStyles=this.finalizeStyles(this.styles)}static finalizeStyles(e){let n=[];if(Array.isArray(e)){let i=new Set(e.flat(1/0).reverse());for(let r of i)n.unshift(dt(r))}else e!==void 0&&n.push(dt(e));return n}static _$Eu(e,n){let i=n.attribute;return i===!1?void 0:typeof i=="string"?i:typeof e=="string"?e.toLowerCase():void 0}constructor(){super(),this._$Ep=void 0,this.isUpdatePending=!1,this.hasUpdated=!1,this._$Em=null,this._$Ev()}_$Ev(){this._$ES=new Promise(e=>this.enableUpdating=e),this._$AL=new Map,this._$E_(),this.requestUpdate(),this.constructor.l?.forEach(e=>e(this))}addController(e){(this._$EO??=new Set).add(e),this.renderRoot!==void 0&&this.isConnected&&e.hostConnected?.()}removeController(e){this._$EO?.delete(e)}_$E_(){let e=new Map,n=this.constructor.elementProperties;for(let i of n.keys())this.hasOwnProperty(i)&&(e.set(i,this[i]),delete this[i]);e.size>0&&(this._$Ep=e)}createRenderRoot(){let e=this.shadowRoot??this.attachShadow(this.constructor.shadowRootOptions);return Ut(e,this.constructor.elementStyles),e}connectedCallback(){this.renderRoot??=this.createRenderRoot(),this.enableUpdating(!0),this._$EO?.forEach(e=>e.hostConnected?.())}enableUpdating(e){}disconnectedCallback(){this._$EO?.forEach(e=>e.hostDisconnected?.())}attributeChangedCallback(e,n,i){this._$AK(e,i)}_$ET(e,n){let i=this.constructor.elementProperties.get(e),r=this.constructor._$Eu(e,i);if(r!==void 0&&i.reflect===!0){let s=(i.converter?.toAttribute!==void 0?i.converter:lt).toAttribute(n,i.type);this._$Em=e,s==null?this.removeAttribute(r):this.setAttribute(r,s),this._$Em=null}}_$AK(e,n){let i=this.constructor,r=i._$Eh.get(e);if(r!==void 0&&this._$Em!==r){let s=i.getPropertyOptions(r),o=typeof s.converter=="function"?{fromAttribute:s.converter}:s.converter?.fromAttribute!==void 0?s.converter:lt;this._$Em=r;let d=o.fromAttribute(n,s.type);this[r]=d??this._$Ej?.get(r)??d,this._$Em=null}}requestUpdate(e,n,i,r=!1,s){if(e!==void 0){let o=this.constructor;if(r===!1&&(s=this[e]),i??=o.getPropertyOptions(e),!((i.hasChanged??zt)(s,n)||i.useDefault&&i.reflect&&s===this._$Ej?.get(e)&&!this.hasAttribute(o._$Eu(e,i))))return;this.C(e,n,i)}this.isUpdatePending===!1&&(this._$ES=this._$EP())}C(e,n,{useDefault:i,reflect:r,wrapped:s},o){i&&!(this._$Ej??=new Map).has(e)&&(this._$Ej.set(e,o??n??this[e]),s!==!0||o!==void 0)||(this._$AL.has(e)||(this.hasUpdated||i||(n=void 0),this._$AL.set(e,n)),r===!0&&this._$Em!==e&&(this._$Eq??=new Set).add(e))}async _$EP(){this.isUpdatePending=!0;try{await this._$ES}catch(n){Promise.reject(n)}let e=this.scheduleUpdate();return e!=null&&await e,!this.isUpdatePending}scheduleUpdate(){return this.performUpdate()}performUpdate(){if(!this.isUpdatePending)return;if(!this.hasUpdated){if(this.renderRoot??=this.createRenderRoot(),this._$Ep){for(let[r,s]of this._$Ep)this[r]=s;this._$Ep=void 0}let i=this.constructor.elementProperties;if(i.size>0)for(let[r,s]of i){let{wrapped:o}=s,d=this[r];o!==!0||this._$AL.has(r)||d===void 0||this.C(r,void 0,s,d)}}let e=!1,n=this._$AL;try{e=this.shouldUpdate(n),e?(this.willUpdate(n),this._$EO?.forEach(i=>i.hostUpdate?.()),this.update(n)):this._$EM()}catch(i){throw e=!1,this._$EM(),i}e&&this._$AE(n)}willUpdate(e){}_$AE(e){this._$EO?.forEach(n=>n.hostUpdated?.()),this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(e)),this.updated(e)}_$EM(){this._$AL=new Map,this.isUpdatePending=!1}get updateComplete(){return this.getUpdateComplete()}getUpdateComplete(){return this._$ES}shouldUpdate(e){return!0}update(e){this._$Eq&&=this._$Eq.forEach(n=>this._$ET(n,this[n])),this._$EM()}updated(e){}firstUpdated(e){}};I.elementStyles=[],I.shadowRootOptions={mode:"open"},I[oe("elementProperties")]=new Map,I[oe("finalized")]=new Map,Zn?.({ReactiveElement:I}),(we.reactiveElementVersions??=[]).push("2.1.2");var ut=globalThis,Dt=t=>t,ke=ut.trustedTypes,Ht=ke?ke.createPolicy("lit-html",{createHTML:t=>t}):void 0,pt="$lit$",q=`lit$${Math.random().toFixed(9).slice(2)}$`,ht="?"+q,Xn=`<${ht}>`,J=document,de=()=>J.createComment(""),le=t=>t===null||typeof t!="object"&&typeof t!="function",mt=Array.isArray,Qt=t=>mt(t)||typeof t?.[Symbol.iterator]=="function",ct=`[ 	
\f\r]`,ae=/<(?:(!--|\/[^a-zA-Z])|(\/?[a-zA-Z][^>\s]*)|(\/?$))/g,Ft=/-->/g,Jt=/>/g,H=RegExp(`>|${ct}(?:([^\\s"'>=/]+)(${ct}*=${ct}*(?:[^ 	
\f\r"'\`<>=]|("|')|))|$)`,"g"),Wt=/'/g,Vt=/"/g,Yt=/^(?:script|style|textarea|title)$/i,ft=t=>(e,...n)=>({_$litType$:t,strings:e,values:n}),a=ft(1),w=ft(2),vr=ft(3),A=Symbol.for("lit-noChange"),c=Symbol.for("lit-nothing"),Bt=new WeakMap,F=J.createTreeWalker(J,129);function Kt(t,e){if(!mt(t)||!t.hasOwnProperty("raw"))throw Error("invalid template strings array");return Ht!==void 0?Ht.createHTML(e):e}var Gt=(t,e)=>{let n=t.length-1,i=[],r,s=e===2?"<svg>":e===3?"<math>":"",o=ae;for(let d=0;d<n;d++){let l=t[d],p,m,h=-1,y=0;for(;y<l.length&&(o.lastIndex=y,m=o.exec(l),m!==null);)y=o.lastIndex,o===ae?m[1]==="!--"?o=Ft:m[1]!==void 0?o=Jt:m[2]!==void 0?(Yt.test(m[2])&&(r=RegExp("</"+m[2],"g")),o=H):m[3]!==void 0&&(o=H):o===H?m[0]===">"?(o=r??ae,h=-1):m[1]===void 0?h=-2:(h=o.lastIndex-m[2].length,p=m[1],o=m[3]===void 0?H:m[3]==='"'?Vt:Wt):o===Vt||o===Wt?o=H:o===Ft||o===Jt?o=ae:(o=H,r=void 0);let g=o===H&&t[d+1].startsWith("/>")?" ":"";s+=o===ae?l+Xn:h>=0?(i.push(p),l.slice(0,h)+pt+l.slice(h)+q+g):l+q+(h===-2?d:g)}return[Kt(t,s+(t[n]||"<?>")+(e===2?"</svg>":e===3?"</math>":"")),i]},ce=class t{constructor({strings:e,_$litType$:n},i){let r;this.parts=[];let s=0,o=0,d=e.length-1,l=this.parts,[p,m]=Gt(e,n);if(this.el=t.createElement(p,i),F.currentNode=this.el.content,n===2||n===3){let h=this.el.content.firstChild;h.replaceWith(...h.childNodes)}for(;(r=F.nextNode())!==null&&l.length<d;){if(r.nodeType===1){if(r.hasAttributes())for(let h of r.getAttributeNames())if(h.endsWith(pt)){let y=m[o++],g=r.getAttribute(h).split(q),v=/([.?@])?(.*)/.exec(y);l.push({type:1,index:s,name:v[2],strings:g,ctor:v[1]==="."?_e:v[1]==="?"?Ae:v[1]==="@"?Te:V}),r.removeAttribute(h)}else h.startsWith(q)&&(l.push({type:6,index:s}),r.removeAttribute(h));if(Yt.test(r.tagName)){let h=r.textContent.split(q),y=h.length-1;if(y>0){r.textContent=ke?ke.emptyScript:"";for(let g=0;g<y;g++)r.append(h[g],de()),F.nextNode(),l.push({type:2,index:++s});r.append(h[y],de())}}}else if(r.nodeType===8)if(r.data===ht)l.push({type:2,index:s});else{let h=-1;for(;(h=r.data.indexOf(q,h+1))!==-1;)l.push({type:7,index:s}),h+=q.length-1}s++}}static createElement(e,n){let i=J.createElement("template");return i.innerHTML=e,i}};function W(t,e,n=t,i){if(e===A)return e;let r=i!==void 0?n._$Co?.[i]:n._$Cl,s=le(e)?void 0:e._$litDirective$;return r?.constructor!==s&&(r?._$AO?.(!1),s===void 0?r=void 0:(r=new s(t),r._$AT(t,n,i)),i!==void 0?(n._$Co??=[])[i]=r:n._$Cl=r),r!==void 0&&(e=W(t,r._$AS(t,e.values),r,i)),e}var xe=class{constructor(e,n){this._$AV=[],this._$AN=void 0,this._$AD=e,this._$AM=n}get parentNode(){return this._$AM.parentNode}get _$AU(){return this._$AM._$AU}u(e){let{el:{content:n},parts:i}=this._$AD,r=(e?.creationScope??J).importNode(n,!0);F.currentNode=r;let s=F.nextNode(),o=0,d=0,l=i[0];for(;l!==void 0;){if(o===l.index){let p;l.type===2?p=new K(s,s.nextSibling,this,e):l.type===1?p=new l.ctor(s,l.name,l.strings,this,e):l.type===6&&(p=new Ee(s,this,e)),this._$AV.push(p),l=i[++d]}o!==l?.index&&(s=F.nextNode(),o++)}return F.currentNode=J,r}p(e){let n=0;for(let i of this._$AV)i!==void 0&&(i.strings!==void 0?(i._$AI(e,i,n),n+=i.strings.length-2):i._$AI(e[n])),n++}},K=class t{get _$AU(){return this._$AM?._$AU??this._$Cv}constructor(e,n,i,r){this.type=2,this._$AH=c,this._$AN=void 0,this._$AA=e,this._$AB=n,this._$AM=i,this.options=r,this._$Cv=r?.isConnected??!0}get parentNode(){let e=this._$AA.parentNode,n=this._$AM;return n!==void 0&&e?.nodeType===11&&(e=n.parentNode),e}get startNode(){return this._$AA}get endNode(){return this._$AB}_$AI(e,n=this){e=W(this,e,n),le(e)?e===c||e==null||e===""?(this._$AH!==c&&this._$AR(),this._$AH=c):e!==this._$AH&&e!==A&&this._(e):e._$litType$!==void 0?this.$(e):e.nodeType!==void 0?this.T(e):Qt(e)?this.k(e):this._(e)}O(e){return this._$AA.parentNode.insertBefore(e,this._$AB)}T(e){this._$AH!==e&&(this._$AR(),this._$AH=this.O(e))}_(e){this._$AH!==c&&le(this._$AH)?this._$AA.nextSibling.data=e:this.T(J.createTextNode(e)),this._$AH=e}$(e){let{values:n,_$litType$:i}=e,r=typeof i=="number"?this._$AC(e):(i.el===void 0&&(i.el=ce.createElement(Kt(i.h,i.h[0]),this.options)),i);if(this._$AH?._$AD===r)this._$AH.p(n);else{let s=new xe(r,this),o=s.u(this.options);s.p(n),this.T(o),this._$AH=s}}_$AC(e){let n=Bt.get(e.strings);return n===void 0&&Bt.set(e.strings,n=new ce(e)),n}k(e){mt(this._$AH)||(this._$AH=[],this._$AR());let n=this._$AH,i,r=0;for(let s of e)r===n.length?n.push(i=new t(this.O(de()),this.O(de()),this,this.options)):i=n[r],i._$AI(s),r++;r<n.length&&(this._$AR(i&&i._$AB.nextSibling,r),n.length=r)}_$AR(e=this._$AA.nextSibling,n){for(this._$AP?.(!1,!0,n);e!==this._$AB;){let i=Dt(e).nextSibling;Dt(e).remove(),e=i}}setConnected(e){this._$AM===void 0&&(this._$Cv=e,this._$AP?.(e))}},V=class{get tagName(){return this.element.tagName}get _$AU(){return this._$AM._$AU}constructor(e,n,i,r,s){this.type=1,this._$AH=c,this._$AN=void 0,this.element=e,this.name=n,this._$AM=r,this.options=s,i.length>2||i[0]!==""||i[1]!==""?(this._$AH=Array(i.length-1).fill(new String),this.strings=i):this._$AH=c}_$AI(e,n=this,i,r){let s=this.strings,o=!1;if(s===void 0)e=W(this,e,n,0),o=!le(e)||e!==this._$AH&&e!==A,o&&(this._$AH=e);else{let d=e,l,p;for(e=s[0],l=0;l<s.length-1;l++)p=W(this,d[i+l],n,l),p===A&&(p=this._$AH[l]),o||=!le(p)||p!==this._$AH[l],p===c?e=c:e!==c&&(e+=(p??"")+s[l+1]),this._$AH[l]=p}o&&!r&&this.j(e)}j(e){e===c?this.element.removeAttribute(this.name):this.element.setAttribute(this.name,e??"")}},_e=class extends V{constructor(){super(...arguments),this.type=3}j(e){this.element[this.name]=e===c?void 0:e}},Ae=class extends V{constructor(){super(...arguments),this.type=4}j(e){this.element.toggleAttribute(this.name,!!e&&e!==c)}},Te=class extends V{constructor(e,n,i,r,s){super(e,n,i,r,s),this.type=5}_$AI(e,n=this){if((e=W(this,e,n,0)??c)===A)return;let i=this._$AH,r=e===c&&i!==c||e.capture!==i.capture||e.once!==i.once||e.passive!==i.passive,s=e!==c&&(i===c||r);r&&this.element.removeEventListener(this.name,this,i),s&&this.element.addEventListener(this.name,this,e),this._$AH=e}handleEvent(e){typeof this._$AH=="function"?this._$AH.call(this.options?.host??this.element,e):this._$AH.handleEvent(e)}},Ee=class{constructor(e,n,i){this.element=e,this.type=6,this._$AN=void 0,this._$AM=n,this.options=i}get _$AU(){return this._$AM._$AU}_$AI(e){W(this,e)}},Zt={M:pt,P:q,A:ht,C:1,L:Gt,R:xe,D:Qt,V:W,I:K,H:V,N:Ae,U:Te,B:_e,F:Ee},ei=ut.litHtmlPolyfillSupport;ei?.(ce,K),(ut.litHtmlVersions??=[]).push("3.3.3");var Xt=(t,e,n)=>{let i=n?.renderBefore??e,r=i._$litPart$;if(r===void 0){let s=n?.renderBefore??null;i._$litPart$=r=new K(e.insertBefore(de(),s),s,void 0,n??{})}return r._$AI(t),r};var gt=globalThis,$=class extends I{constructor(){super(...arguments),this.renderOptions={host:this},this._$Do=void 0}createRenderRoot(){let e=super.createRenderRoot();return this.renderOptions.renderBefore??=e.firstChild,e}update(e){let n=this.render();this.hasUpdated||(this.renderOptions.isConnected=this.isConnected),super.update(e),this._$Do=Xt(n,this.renderRoot,this.renderOptions)}connectedCallback(){super.connectedCallback(),this._$Do?.setConnected(!0)}disconnectedCallback(){super.disconnectedCallback(),this._$Do?.setConnected(!1)}render(){return A}};$._$litElement$=!0,$.finalized=!0,gt.litElementHydrateSupport?.({LitElement:$});var ti=gt.litElementPolyfillSupport;ti?.({LitElement:$});(gt.litElementVersions??=[]).push("4.2.2");var en="0 w 2n y c 1 ip 1 14 2 6 4 7 1 1 1 k 1 b1 1 12 2 1e 2 3 1 1j 8 r 4 6 h m 1 5c 1 1c 2 1n 2 2t e 1n 2 1d 2 f 1 s 2 1 1 b 5 v 9 22 1 4h 1 8 2 2 2 m 1 7 1 1 3 4 2 9 2 2 2 4 8 1 4 2 1 5 2 p 2 3 1 6 4 2 2 m 1 7 1 2 1 2 1 2 2 1 1 5 4 2 2 3 3 1 7 4 1 1 7 h a 3 1 9 1 3 1 m 1 7 1 2 1 5 2 a 1 3 1 3 2 1 f 4 2 c 7 7 1 3 1 8 2 2 2 m 1 7 1 2 1 5 2 9 2 2 2 3 7 3 4 2 1 5 2 i a 2 1 6 3 3 1 4 3 2 1 1 1 2 3 2 3 3 3 c 4 5 3 3 1 4 2 1 6 1 e l 5 d 1 3 1 n 1 g 2 9 1 3 1 4 7 2 1 3 2 1 2 4 2 a 7 m 1 3 1 n 1 a 1 5 2 9 1 3 1 4 7 2 6 2 1 4 2 a 1 3 c d 1 3 1 1f 1 3 1 6 4 g 2 q 1 3 1 i 3 o 1 9 1 1 2 7 3 1 4 6 1 1 1 8 6 a 2 3 c 1m 4 t 11 2 1 1 1 5 1 o 1 1 1 n 2 5 1 1 1 7 1 a 2 4 w 20 1 10 4 13 1 10 1 f 1 d 11 5i 1 1 5 1 2 3z 2 6g 1 4 2 7 1 1 1 4 2 15 1 4 2 x 1 4 2 7 1 1 1 4 2 f 1 1l 1 4 2 1v 2 w 3 q 6 2e 2 6 2 hs 1 s 3 2h 7 m 9 o 9 k c d 1 3 1 2 c 1g 2 14 2 a 6 a 6 b 5 a 6 2h 7 17 5 1y a v 1 c 4 c 4 1 3 16 2 5 b 18 4 q 6 b 3 1q 2 1t 1 t 2 b 6 a 6 e 2 v 1d 25 3 1b 1 38 8 1o 3 f 3 1o 7 17 2 b 8 17 5 eu 2 6 2 12 2 6 2 8 1 1 1 1 1 1 1 v 2 1h 1 f 1 e 2 6 1 j 2 3 1 9 h o 8 1b h 2 2 r 1 d 3 x f x f 3w 4 if p b l ps 1 oj 2 w 1 9p 5 19 1 1 5 1 2 1k 7 2 e o 9 7 1 7 1 7 1 7 1 7 1 7 1 7 1 7 1 3i y q 1 2h c 5y q c 5 1q 2 2e 2 2v 5 17 1 1f 1 16 1 2c c 1b 1 mlp 3 1j 9 9o k 54 8 5n 5 2 1 1 1 5 o 1n 3 a 6 1k 8 1y 8 c 6 38 b u 3 26 1 b 4 x 1 1j 9 e 2 a 2 2v o s a 6 2 6 2 6 9 7 1 7 1 1o 4 3i 2 a 6 8mc c n 4 1d 6is a6 2 2y 12 7 c 5 5 q 1 5 1 1 1 2 1 2 1 3h g cd 2 1i 7 1 w g g a 6 1f 1 j 1 4 4 5 1 3r 4 4f 1 u 3 6 2 6 2 6 2 3 3 7 1 7 e 1 2 c 1 q 1 j 1 2 1 f 2 e y 3f 5 3 4 19 3 2g 1 d 3 1 1b 1a 3m t 3 1d f s 4 10 9 u 5 17 5 u 1 11 4 e 16 4e 2 a 6 10 4 10 4 14 8 1g b c 1 f 1 7 1 2 1 b 1 f 1 7 1 2 1v 8n 9 m a 8 o 6 1 16 1 9 1x 6 2 1 1 18 1 2 3 1 2 n 1 20 8 9 1c j 1 2 5 x 3 r 5 1 1s 1k 4 k 2 1e 1 2 5 8 1 3 1 t 2 3 4 a 7 9 7 1s w 13 4 c 9 1i 3 t 2 r 5 q 7 4 c 7 28 21 1j 1f d 1f 7 1a 8 a 86 v 1 16 1 3 2 2 23 17 8 16 m q 12 s k n 9 26 4 10 9 1q 1 5 d p 7 a 6 1h 1 i 8 13 9 2o 1 k b i 1 1b 1q 7 1 1 1 4 1 f 1 b 6 1n 5 a 6 4 1 8 2 2 2 m 1 7 1 2 1 5 1 a 2 2 2 3 2 1 6 1 5 7 2 7 3 5 3v 2k 1 5 u 20 8 a 4m 1i 2 12 y 1x b a 6 d j 1m 6 a 1i r 2 f 4 n 55 1o 2s 2b c 8 2 1 2 8 1 2 1 u 1 2 2 c 9 a 1y 8 2 1a 2 b r 20 8 2b d 21 7 a 6u 9 1 19 1 e a t 3 w 2 m 1 e 21 7 1 2 1 18 3 1 1 2 1 9 8 a 6 6 1 2 1 11 1 2 1 6 7 a 8m p 7 h 1 15 3 s 2e 1 f 1e d pn 2u 33 1 5 b 5g 218 2r d ts g 1 2 j 33e g7 6nt ft 7 v 1 a 4 29 1 a 6 u 2 6 a 1y a a 1 7 1 l 5 j j4 2j 2t 23 4 1l 7 h 1s 4 c 2 e 4qg 8 ye 16 9 6w7 4 1 7 1 2 1 83 f 1 t 3 2 1 e 4 8 b0 1s4 2z 5 d 3 9 7 a 2 4 3mo 1a 2 n 9 38 1o 6u a 13 2 1c 1 p 8 34 l 1y 3e k c k c 2f 9 p 3r 2d 1 1z 1 2 2 1 2 2 2 4 1 c 1 1 1 7 1 1t 1 4 2 8 1 7 1 s 1 4 1 5 1 1 3 7 1 9g 2 84 2 ji f 5 1 f uo v 6 6 5x 7 1 h 2 7 1 2 1 5 5 1q x 1 34 19 3 e 2 a 4 2 8w v h 1m 5 1 cw 16 km 7 1 4 1 2 1 f 1 5h 2 g 15 24 4 a 4 2 lt 1w 24 1p 5e 4 1 r 1 2 1 1 2 1 1 a 1 4 1 1 1 1 6 1 4 1 1 1 1 1 1 3 1 2 1 1 2 1 1 1 1 1 1 1 1 1 1 2 1 1 2 4 1 7 1 4 1 4 1 1 1 a 1 h 5 3 1 5 1 h 1g 2 7i 18 4 2s c f 2 f 1 f 1 11 a 4u 1k t d 18 4 9 7 2 e 6 4a rc 4 h 3 d 3 3b 4 2n 6 c 4 1 f c 4 1k 8 a 6 14 8 u 2 2 26 9g c e 2 d 3 9 7 1a 1 7 8 e 4 9 7 9 7 43 1 1j 11 a sm wyo w 37e 6 66 2 4g2 e 5rl 2e7 f2 15u 3t7 5 38g jgwg";var Se;function Re(t){if(!Se){let i=0;Se=en.split(" ").map(r=>i+=parseInt(r,36))}let[e,n]=[0,Se.length];for(;e<n;){let i=e+n>>1;Se[i]<=t?e=i+1:n=i}return e%2===1}function ni(t){return Re(t)&&!/[\p{Zs}\u200c\u200d\ufe0e\ufe0f]/u.test(String.fromCodePoint(t))}var G=/[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;function bt(t){return G.test(t)?"rtl":"ltr"}function yt(t,e){if(/^[ -~]*$/.test(t))return t;let n="";for(let i of t)n+=e(i.codePointAt(0))?nn(i):i;return n}function nn(t){return Array.from({length:t.length},(e,n)=>"\\u"+t.charCodeAt(n).toString(16).padStart(4,"0")).join("")}function b(t){return ri(yt(t,Re))}function Pe(t){let e=b(t);return G.test(e)?`⁨${e}⁩`:e}var rn=t=>t!==9&&t!==10;function B(t){return yt(t,e=>rn(e)&&Re(e))}var ii=/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;function M(t){return yt(t.replace(ii,""),e=>rn(e)&&ni(e))}function ri(t){return G.test(t)?t.split(`
`).map(e=>si(e)?e:Array.from(e,n=>G.test(n)?nn(n):n).join("")).join(`
`):t}function si(t){let e=0,n=!1;for(let{kind:i,text:r}of vt(t)){let s=/\p{L}/u.test(r);if(i==="phrase")e++;else{if(/\p{N}/u.test(r)||s&&e>0&&!n)return!1;s&&(n=!0)}}return e<=1}var Ce=G.source,tn=`(?:(?!\\p{N})${Ce}|\\p{M})`,oi=new RegExp(`(?<number>(?:(?=\\p{N})${Ce})+)|(?<phrase>(?=${Ce})${tn}+(?:[,.;:!?]? (?=${Ce})${tn}+)*)`,"gu");function vt(t){let e=[],n=0,i=r=>{r>n&&e.push({text:t.slice(n,r)})};for(let r of t.matchAll(oi))i(r.index),e.push({kind:r.groups.number===void 0?"phrase":"number",text:r[0]}),n=r.index+r[0].length;return i(t.length),e}function sn(t){return t.replace(/\\(?:u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|u([0-9a-f]{4})|[^])/giu,(e,n,i,r)=>{let s=r===void 0?[n,i]:[r];if(s[0]===void 0)return e;let o=String.fromCharCode(...s.map(d=>parseInt(d,16)));return G.test(o)&&!Re(o.codePointAt(0))?o:e})}function Q(t){try{return JSON.parse(t)}catch{return}}function f(t){return typeof t=="object"&&t!==null&&!Array.isArray(t)?t:void 0}function x(t){return Array.isArray(t)?t:[]}function u(t){return typeof t=="string"?t:void 0}function Ie(t){if(Q(t)===void 0)return B(t);let e="",n=0,i=()=>`
`+"  ".repeat(n);for(let r of t.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)??[])switch(r){case"{":case"[":n++,e+=r+i();break;case"}":case"]":n--,e=/[{[]\s*$/.test(e)?e.trimEnd()+r:e+i()+r;break;case",":e+=r+i();break;case":":e+=": ";break;default:e+=B(r)}return e}var $t=class{#e="";#t=[];#n=!1;push(e){!this.#n&&e!==""&&(this.#n=!0,e=e.replace(/^\ufeff/,""));let n=this.#e+e,i=[],r=/\r\n|\n|\r(?!$)/g,s=0;for(let o=r.exec(n);o;o=r.exec(n))this.#i(n.slice(s,o.index),i),s=r.lastIndex;return this.#e=n.slice(s),i}#i(e,n){e===""?(this.#t.length>0&&n.push(this.#t.join(`
`)),this.#t=[]):(e==="data"||e.startsWith("data:"))&&this.#t.push(e.slice(5).replace(/^ /,""))}};async function*on(t){let e=new $t,n=new TextDecoder,i=t.getReader();try{for(;;){let{done:r,value:s}=await i.read();if(r)return;yield e.push(n.decode(s,{stream:!0}))}}finally{i.cancel().catch(()=>{})}}var ue=class extends Error{constructor(n,i){super(i||"Something went wrong at the server. Try again.");this.status=n}status},ai="The server could not be reached. Check your connection and try again.";async function R(t,e={}){return Q(await(await an(t,e)).text())}async function an(t,e){let n;try{n=await fetch(t,{cache:"no-store",credentials:"same-origin",...e})}catch(r){throw e.signal?.aborted?r:new ue(0,ai)}if(n.ok)return n;n.status===401&&di();let i=f(Q(await n.text().catch(()=>"")));throw new ue(n.status,u(i?.detail)??u(i?.error))}function di(){location.assign(`/login?next=${encodeURIComponent(location.pathname)}`)}var li=429,dn=1e4;async function ln(t,e,n){let i=JSON.stringify({elicitationId:t,action:e,...n&&{content:n}});for(let r=1e3;;r=Math.min(2*r,dn))try{await R(`/answer/${encodeURIComponent(t)}`,{method:"POST",body:i,headers:{"content-type":"application/json"}});return}catch(s){if(!(s instanceof ue)||s.status!==li)throw s;await un(r)}}async function cn(t,e,n){for(let i=500;!n.aborted;i=Math.min(2*i,dn)){try{let r=await an(`/api/elicitations/events?user=${encodeURIComponent(t)}`,{signal:n});for await(let s of on(r.body)){i=500,e.connected(!0);for(let o of s)ci(e,f(Q(o)))}}catch{}if(n.aborted)return;e.connected(!1),await un(i)}}function ci(t,e){e?.id===void 0?t.reload():t.item(e)}var un=t=>new Promise(e=>setTimeout(e,t));var T=C`
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
`,E=C`
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
`;var pn={questions:"Questions",history:"History",connections:"Connections",permissions:"Permissions"},qe=class extends ${static styles=[T,E,C`
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
    `];static properties={user:{},_count:{state:!0},_part:{state:!0}};#e=0;constructor(){super(),this.user=this._count="",this._part="questions"}connectedCallback(){super.connectedCallback(),window.addEventListener("hashchange",this.#n),document.addEventListener("visibilitychange",this.#t),this.#e=window.setInterval(this.#t,15e3),this.#n(),this.#t()}disconnectedCallback(){super.disconnectedCallback(),window.removeEventListener("hashchange",this.#n),document.removeEventListener("visibilitychange",this.#t),window.clearInterval(this.#e)}#t=()=>{document.visibilityState!=="visible"||this._part!=="questions"||R("/api/me/looking",{method:"POST",body:"{}",headers:{"content-type":"application/json"}}).catch(()=>{})};#n=()=>{let e=location.hash.slice(1);this._part=e in pn?e:"questions"};render(){return a`<nav aria-label="Inbox">
        ${Object.entries(pn).map(([e,n])=>a`<a href="#${e}" aria-current=${e===this._part?"page":"false"}>${n}
            ${e==="questions"&&this._count?a`<span class="count">${this._count}</span>`:""}</a>`)}
      </nav>
      <parley-inbox-questions .user=${this.user} ?hidden=${this._part!=="questions"} @inbox-count=${this.#r}></parley-inbox-questions>
      ${this.#i()}`}#i(){switch(this._part){case"history":return a`<parley-inbox-history .user=${this.user}></parley-inbox-history>`;case"connections":return a`<parley-inbox-connections .user=${this.user}></parley-inbox-connections>`;case"permissions":return a`<parley-inbox-permissions .user=${this.user}></parley-inbox-permissions>`;default:return a``}}#r=e=>{this._count=e.detail,document.title=(e.detail?`(${e.detail}) `:"")+document.title.replace(/^\(\d+\+?\) /,"");let n=document.querySelector(".places .count");n&&(n.textContent=e.detail||"0")}};var U=C`
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
`,Me=C`
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
`;var Z=class extends ${static styles=[T,E,U];static properties={user:{}};#e;#t;#n="";#i;firstUpdated(){this.#r()}async#r(){await this.#s(async()=>{let e=f(await R(`${this.path}?${new URLSearchParams({user:this.user})}`));this.#e=x(e?.items).flatMap(n=>[f(n)??{}])})}async#s(e){this.#t=void 0;try{await e()}catch(n){this.#t=n.message}this.requestUpdate()}render(){let e=this.#e;return a`<div class="bar"><h2 tabindex="-1">${this.words.title}</h2></div>
      ${this.#t?a`<p class="problem" role="alert">${this.#t} <button type="button" @click=${()=>{this.#r()}}>Try again</button></p>`:c}
      <div role="status" class="meta">${this.#n}</div>
      ${e?.length===0?a`<p class="empty">${this.words.none}</p>`:c}
      <ul class="things">
        ${e?.map(n=>a`<li class="thing">
            <div class="about">${this.about(n)}</div>
            <div>${this.#d(n)}</div>
          </li>`)}
      </ul>`}#d(e){let n=this.key(e),i=this.called(e),r=s=>()=>{this.#i=s,this.requestUpdate()};return this.#i!==n?a`<button type="button" aria-label="${this.words.take}: ${i}" @click=${r(n)}>${this.words.take}</button>`:a`<button type="button" class="primary" aria-label="${this.words.sure}: ${i}" @click=${()=>{this.#o(e)}}>${this.words.sure}</button>
      <button type="button" class="quiet" @click=${r(void 0)}>Keep</button>`}async#o(e){this.#i=void 0,await this.#s(async()=>{let n=f(await R(this.removal(e),{method:"DELETE"}));this.#n=u(n?.warning)??`Done: ${this.called(e)}.`,await this.#r()}),this.renderRoot.querySelector("h2")?.focus()}};var L={ATTRIBUTE:1,CHILD:2,PROPERTY:3,BOOLEAN_ATTRIBUTE:4,EVENT:5,ELEMENT:6},X=t=>(...e)=>({_$litDirective$:t,values:e}),N=class{constructor(e){}get _$AU(){return this._$AM._$AU}_$AT(e,n,i){this._$Ct=e,this._$AM=n,this._$Ci=i}_$AS(e,n){return this.update(e,n)}update(e,n){return this.render(...n)}};var{I:ui}=Zt,hn=t=>t;var fn=t=>t.strings===void 0,mn=()=>document.createComment(""),ee=(t,e,n)=>{let i=t._$AA.parentNode,r=e===void 0?t._$AB:e._$AA;if(n===void 0){let s=i.insertBefore(mn(),r),o=i.insertBefore(mn(),r);n=new ui(s,o,t,t.options)}else{let s=n._$AB.nextSibling,o=n._$AM,d=o!==t;if(d){let l;n._$AQ?.(t),n._$AM=t,n._$AP!==void 0&&(l=t._$AU)!==o._$AU&&n._$AP(l)}if(s!==r||d){let l=n._$AA;for(;l!==s;){let p=hn(l).nextSibling;hn(i).insertBefore(l,r),l=p}}}return n},j=(t,e,n=t)=>(t._$AI(e,n),t),pi={},te=(t,e=pi)=>t._$AH=e,gn=t=>t._$AH,Le=t=>{t._$AR(),t._$AA.remove()};var Y=X(class extends N{constructor(t){if(super(t),t.type!==L.PROPERTY&&t.type!==L.ATTRIBUTE&&t.type!==L.BOOLEAN_ATTRIBUTE)throw Error("The `live` directive is not allowed on child or event bindings");if(!fn(t))throw Error("`live` bindings can only contain a single expression")}render(t){return t}update(t,[e]){if(e===A||e===c)return e;let n=t.element,i=t.name;if(t.type===L.PROPERTY){if(e===n[i])return A}else if(t.type===L.BOOLEAN_ATTRIBUTE){if(!!e===n.hasAttribute(i))return A}else if(t.type===L.ATTRIBUTE&&n.getAttribute(i)===e+"")return A;return te(t),e}});function ne(t,e=[]){let n=f(t);if(!n)return;let i=new Set(x(n.required)),r=[],s=d=>e.includes(d)?e.indexOf(d):e.length,o=Object.entries(f(n.properties)??{}).sort(([d],[l])=>s(d)-s(l));for(let[d,l]of o){let p=f(l),m=p&&hi(p);if(!p||!m)return;r.push(mi(d,m,p,i.has(d)))}return r}function hi(t){switch(t.type){case"string":case"number":case"integer":return Oe(t).length>0?"choice":t.type;case"boolean":return"boolean";case"array":return Oe(f(t.items)??{}).length>0?"choices":void 0}}function mi(t,e,n,i){return{name:t,kind:e,required:i,nullable:n.nullable===!0,label:M(u(n.title)||t),description:M(u(n.description)??"")||void 0,format:fi(n.format),minLength:pe(n.minLength),maxLength:pe(n.maxLength),pattern:u(n.pattern),minimum:bn(n.minimum),maximum:bn(n.maximum),options:Oe(e==="choices"?f(n.items)??{}:n),minItems:pe(n.minItems),maxItems:pe(n.maxItems),default:n.default}}function fi(t){return t==="email"||t==="uri"||t==="date"||t==="date-time"?t:void 0}function pe(t){return typeof t=="number"?t:void 0}function bn(t){let e=pe(t);return e!==void 0&&Math.abs(e)===Number.MAX_SAFE_INTEGER?void 0:e}function yn(t){return typeof t=="number"?String(t):u(t)}function Oe(t){let e=x(t.oneOf??t.anyOf);if(e.length>0)return e.flatMap(i=>{let r=yn(f(i)?.const);return r===void 0?[]:[{value:r,label:M(u(f(i)?.title)||r)}]});let n=x(t.enumNames);return x(t.enum).flatMap((i,r)=>{let s=yn(i);return s===void 0?[]:[{value:s,label:M(u(n[r])||s)}]})}var O=({name:t})=>t.startsWith("args.");function he(t){return t.kind==="boolean"&&(t.required||t.nullable)&&t.default===void 0}function vn(t){return Object.fromEntries(t.map(e=>[e.name,gi(e)]))}function gi(t){let e=t.default;switch(t.kind){case"boolean":return typeof e=="boolean"?e:he(t)?void 0:!1;case"choices":return Array.isArray(e)?t.options.map(n=>n.value).filter(n=>e.includes(n)):[];case"choice":return t.options.find(n=>n.value===String(e))?.value;case"number":case"integer":return typeof e=="number"?String(e):""}return typeof e!="string"?"":t.format==="date-time"?Ei(e):e}function wt(t,e,n){let i={content:Object.create(null),errors:Object.create(null)};for(let r of t){let{value:s,error:o}=bi(r,e[r.name],n);o!==void 0?i.errors[r.name]=o:s!==void 0&&(i.content[r.name]=s)}return i}function Ue(t){let e=t.replace(/\s+/g," ").replace(/[:* ]+$/,"");return/[?!.,;]$|^$/.test(e)?`“${e}”`:e}function bi(t,e,n){let i={error:n("errorRequired",{label:Ue(t.label)})},r=t.nullable?{value:null}:i;switch(t.kind){case"boolean":return e===void 0?t.required?i:{}:{value:e};case"choices":return yi(t,e??[],n);case"choice":return e!==void 0?{value:e}:t.default!==void 0?r:t.required?i:{}}let s=typeof e=="string"?e:"",o=t.kind==="string"&&t.format===void 0;return(o&&!t.required?s==="":s.trim()==="")?t.required?i:t.default===void 0?{}:t.kind==="string"&&!t.nullable?{value:""}:r:t.kind==="string"?vi(t,o?s:s.trim(),n):xi(t,s.trim(),n)}function yi(t,e,n){let{minItems:i,maxItems:r}=t,s=Ue(t.label);return e.length===0&&!t.required&&t.default===void 0?{}:i!==void 0&&e.length<i?{error:n("errorMinItems",{label:s,n:i})}:r!==void 0&&e.length>r?{error:n("errorMaxItems",{label:s,n:r})}:{value:e}}function vi(t,e,n){let{minLength:i,maxLength:r}=t,s=Ue(t.label),o=[...e].length;if(i!==void 0&&o<i)return{error:n("errorMinLength",{label:s,n:i})};if(r!==void 0&&o>r)return{error:n("errorMaxLength",{label:s,n:r})};if(t.pattern!==void 0&&!$i(t.pattern,e))return{error:n("errorPattern",{label:s})};switch(t.format){case"email":return/^[^\s@]+@[^\s@]*[^\s@.]$/.test(e)?{value:e}:{error:n("errorEmail",{label:s})};case"uri":return wi(e)?{value:e}:{error:n("errorUri",{label:s})};case"date":return ki(e)?{value:e}:{error:n("errorDate",{label:s})};case"date-time":{let d=Ti(e);return d?{value:d}:{error:n("errorDateTime",{label:s})}}}return{value:e}}function $i(t,e){try{return new RegExp(t,"u").test(e)}catch{return!0}}function wi(t){return/^[a-z][a-z0-9+.-]*:[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/i.test(t)&&URL.canParse(t)}function ki(t){let e=new Date(`${t}T00:00:00Z`);return/^\d{4}-\d\d-\d\d$/.test(t)&&!Number.isNaN(e.valueOf())&&e.toISOString().startsWith(t)}function xi(t,e,n){let{minimum:i,maximum:r}=t,s=Ue(t.label),o=_i(e);return o===void 0?{error:n(t.kind==="integer"?"errorInteger":"errorNumber",{label:s})}:t.kind==="integer"&&!Number.isInteger(o)?{error:n("errorInteger",{label:s})}:Ai(e)?i!==void 0&&o<i?{error:n("errorMinimum",{label:s,n:i})}:r!==void 0&&o>r?{error:n("errorMaximum",{label:s,n:r})}:{value:o}:{error:n("errorDigits",{label:s})}}function _i(t){let e=t.replace(/^\u2212/,"-");if(!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(e))return;let n=Number(e);return Number.isFinite(n)?n:void 0}function Ai(t){return t.replace(/e.*$/i,"").replace(/\D/g,"").replace(/^0+/,"").replace(/0+$/,"").length<=15||Number.isSafeInteger(Number(t))&&/^[-+]?\d+$/.test(t)}function Ti(t){let e=/^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d(?:\.\d+)?)?$/.exec(t),n=new Date(t);if(!(!e||Number.isNaN(n.valueOf())))return`${e[1]}${e[2]??":00"}${kt(n)||"Z"}`}function Ei(t){let e=new Date(t);return Number.isNaN(e.valueOf())?"":new Date(e.valueOf()-e.getTimezoneOffset()*6e4).toISOString().slice(0,e.getUTCSeconds()||e.getUTCMilliseconds()?19:16)}function kt(t){let e=-t.getTimezoneOffset();if(e===0)return"";let n=i=>String(Math.floor(i)).padStart(2,"0");return`${e<0?"-":"+"}${n(Math.abs(e)/60)}:${n(Math.abs(e)%60)}`}var wn=7;function kn(t){let{field:e}=t;return e.kind==="boolean"&&!he(e)?Mi(t):e.kind==="boolean"?$n(t,[{value:"true",label:t.say("yes")},{value:"false",label:t.say("no")}]):e.kind==="choices"?qi(t):e.kind==="choice"&&e.options.length<=wn?$n(t,e.options):a`<div class=${Ne(t)}>
    <label for=${t.id} dir="auto">${e.label}${_t(t)}</label>
    ${je(t)} ${e.kind==="choice"?Ii(t):Ci(t)}
  </div>`}function xn(t){let{id:e,field:n}=t;return n.kind==="choices"||he(n)||n.kind==="choice"&&n.options.length<=wn?`${e}-0`:e}var Ne=t=>t.error===void 0?"field":"field wrong",_t=t=>me(t.field)?a` <span class="required">${t.say("required")}</span>`:c;function me(t){return t.required&&(t.kind!=="choices"||(t.minItems??0)>0)}function je(t){let{id:e,field:n,error:i,say:r}=t,s=_n(n,r);return a`
    ${n.description?a`<p class="hint" id="${e}-about" dir="auto">${n.description}</p>`:c}
    ${s?a`<p class="hint" id="${e}-hint">${s}</p>`:c}
    ${i===void 0?c:a`<p class="error" id="${e}-error"><span class="hidden">${r("error")} </span>${i}</p>`}
  `}function ie(t){let e=[];return t.field.description&&e.push(`${t.id}-about`),_n(t.field,t.say)&&e.push(`${t.id}-hint`),t.error!==void 0&&e.push(`${t.id}-error`),e.length>0?e.join(" "):c}function _n(t,e){switch(t.kind){case"number":case"integer":return xt(t.minimum,t.maximum,e);case"choices":{let n=xt(t.minItems||void 0,t.maxItems,e);return n&&e("hintChoices",{range:Si(n)})}case"string":{if(t.format==="date-time")return e("localTime",{offset:kt(new Date)});let n=xt(t.minLength!==void 0&&t.minLength>1?t.minLength:void 0,t.maxLength,e);return n&&e("hintLength",{range:n})}}return""}function xt(t,e,n){return t!==void 0&&t===e?n("exactly",{low:t}):t!==void 0&&e!==void 0?n("from",{low:t,high:e}):t!==void 0?n("atLeast",{low:t}):e===void 0?"":n("atMost",{high:e})}var Si=t=>t.charAt(0).toLowerCase()+t.slice(1);function Ci(t){let{id:e,field:n,entry:i,enter:r}=t,s=typeof i=="string"?i:"",o=p=>r(p.target.value);if(n.kind==="string"&&n.format===void 0&&Pi(n))return a`<textarea id=${e} rows="4" dir="auto" .value=${Y(s)} @input=${o}
      aria-describedby=${ie(t)} aria-required=${me(n)} aria-invalid=${t.error!==void 0}></textarea>`;let{type:d,mode:l}=Ri(n);return a`<input id=${e} type=${d} inputmode=${l??c} autocomplete="off" dir="auto"
    spellcheck=${l?"false":c} autocapitalize=${l?"off":c} step=${d==="datetime-local"?"any":c}
    .value=${Y(s)} @input=${o}
    aria-describedby=${ie(t)} aria-required=${me(n)} aria-invalid=${t.error!==void 0} />`}function Ri(t){if(t.kind==="integer")return{type:"text",mode:(t.minimum??-1)<0?"text":"numeric"};if(t.kind==="number")return{type:"text",mode:(t.minimum??-1)<0?"text":"decimal"};switch(t.format){case"date":return{type:"date"};case"date-time":return{type:"datetime-local"};case"email":return{type:"text",mode:"email"};case"uri":return{type:"text",mode:"url"}}return{type:"text"}}function Pi(t){let e=typeof t.default=="string"?t.default:"";return(t.maxLength??0)>200||(t.minLength??0)>100||e.length>200||e.includes(`
`)}function Ii(t){let{id:e,field:n,entry:i,say:r,enter:s}=t;return a`<select id=${e} @change=${d=>{let l=d.target.selectedIndex-1;s(n.options[l]?.value)}} aria-describedby=${ie(t)}
    aria-required=${me(n)} aria-invalid=${t.error!==void 0}>
    <option value="" .selected=${i===void 0}>${r("choose")}</option>
    ${n.options.map(d=>a`<option .selected=${d.value===i}>${At(d,r)}</option>`)}
  </select>`}var At=(t,e)=>t.label.trim()===""?e("emptyOption"):t.label;function $n(t,e){let{id:n,field:i,entry:r,say:s,enter:o}=t,d=p=>i.kind==="boolean"?p==="true":p,l=!i.required&&i.default===void 0&&!t.sure;return a`<div class=${Ne(t)} role="radiogroup" aria-labelledby="${n}-label" aria-required=${me(i)}
    aria-invalid=${t.error!==void 0} aria-describedby=${ie(t)}>
    <div class="legend" id="${n}-label" dir="auto">${i.label}${_t(t)}</div>
    ${je(t)}
    ${e.map((p,m)=>a`<label class="option">
        <input type="radio" id="${n}-${m}" name=${n} .checked=${Y(r===d(p.value))} @change=${()=>o(d(p.value))} />
        <span dir="auto">${At(p,s)}</span>
      </label>`)}
    ${l?a`<label class="option">
          <input type="radio" name=${n} .checked=${Y(r===void 0)} @change=${()=>o(void 0)} />
          <span>${s("noAnswer")}</span>
        </label>`:c}
  </div>`}function qi(t){let{id:e,field:n,say:i,enter:r}=t,s=Array.isArray(t.entry)?t.entry:[],o=(d,l)=>r(n.options.map(p=>p.value).filter(p=>p===d?l:s.includes(p)));return a`<div class=${Ne(t)} role="group" aria-labelledby="${e}-label" aria-describedby=${ie(t)}>
    <div class="legend" id="${e}-label" dir="auto">${n.label}${_t(t)}</div>
    ${je(t)}
    ${n.options.map((d,l)=>a`<label class="option">
        <input type="checkbox" id="${e}-${l}" .checked=${Y(s.includes(d.value))} aria-invalid=${t.error!==void 0}
          @change=${p=>o(d.value,p.target.checked)} />
        <span dir="auto">${At(d,i)}</span>
      </label>`)}
  </div>`}function Mi(t){let{id:e,field:n,entry:i,enter:r}=t;return a`<div class=${Ne(t)}>
    <label class="option">
      <input type="checkbox" id=${e} .checked=${Y(i===!0)} aria-describedby=${ie(t)} aria-invalid=${t.error!==void 0}
        @change=${s=>r(s.target.checked)} />
      <span class="strong" dir="auto">${n.label}</span>
    </label>
    ${je(t)}
  </div>`}var _=t=>w`<svg viewBox="0 0 24 24" aria-hidden="true">${t}</svg>`,k={connect:_(w`<path d="M10 14a4.5 4.5 0 0 0 6.4 0l3.2-3.2a4.5 4.5 0 0 0-6.4-6.4L11.7 6M14 10a4.5 4.5 0 0 0-6.4 0l-3.2 3.2a4.5 4.5 0 0 0 6.4 6.4L12.3 18"/>`),approval:_(w`<path d="M12 3 5 5.6v5.6c0 4.3 2.9 8.1 7 9.8 4.1-1.7 7-5.5 7-9.8V5.6L12 3Z"/><path d="M12 8.5v4M12 15.8v.1"/>`),form:_(w`<path d="M20 11.5a7.5 7.5 0 0 1-7.5 7.5H5l1.7-2.6A7.5 7.5 0 1 1 20 11.5Z"/><path d="M10.4 9.6a2.2 2.2 0 1 1 3.1 2c-.6.3-1 .7-1 1.4M12.5 15.4v.1"/>`),clock:_(w`<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>`),done:_(w`<path d="m5 12.5 4.5 4.5L19 7.5"/>`),no:_(w`<path d="M7 7l10 10M17 7 7 17"/>`),tool:_(w`<path d="M14.5 6.5a4 4 0 0 1 5-1.2l-2.7 2.7 1.4 2 2.6-2.2a4 4 0 0 1-5.6 4.6L8 19.6A2.1 2.1 0 0 1 5 16.6l7-7.3a4 4 0 0 1 2.5-2.8Z"/>`),send:_(w`<path d="M12 19V5.5M6 11l6-6 6 6"/>`),stop:_(w`<rect x="7.5" y="7.5" width="9" height="9" rx="1.5" fill="currentColor"/>`),plus:_(w`<path d="M12 5v14M5 12h14"/>`),down:_(w`<path d="M12 5v13.5M6 13l6 6 6-6"/>`),warning:_(w`<path d="M12 4 2.8 19.5h18.4L12 4Z"/><path d="M12 10v4.2M12 16.8v.1"/>`),copy:_(w`<rect x="9" y="9" width="11" height="11" rx="2"/><path d="M5.5 15H5a1.5 1.5 0 0 1-1.5-1.5V5A1.5 1.5 0 0 1 5 3.5h8.5A1.5 1.5 0 0 1 15 5v.5"/>`),again:_(w`<path d="M19.5 12a7.5 7.5 0 1 1-2.2-5.3M19.5 3.5v4h-4"/>`),chevron:_(w`<path d="m9 6 6 6-6 6"/>`)};function Tt(t){return vt(t).map(e=>e.kind===void 0?e.text:a`<bdi dir=${e.kind==="phrase"?"rtl":"ltr"}>${e.text}</bdi>`)}function Tn(t,e){let{question:n,service:i,say:r}=t;return a`<div class="card open" part="card" role="group" aria-labelledby="title">
    <header>
      <span class="badge">${Li(t)}</span>
      <div class="title isolate" id="title" tabindex="-1" role="heading" aria-level="2" dir=${En(t)}>${be(t)}</div>
      ${e}
    </header>
    <div class="body">
      ${n.message.trim()===""?c:a`<div class="message">
            ${fe(n)?c:a`<span class="from isolate" dir=${bt(r("says",{service:""}))}>${r("says",{service:i})}</span>`}
            ${Oi(n)}
          </div>`}
      ${Ui(t)}
      ${n.context.account?a`<p class="account">${r("account")} <bdi>${b(n.context.account)}</bdi></p>`:c}
    </div>
  </div>`}function Li({kind:t,question:e}){return e.context.trigger==="tool_approval"?k.approval:t==="waiting"?k.clock:t==="unsupported"?k.form:k[t]}var fe=({context:t})=>(t.trigger==="tool_approval"||t.trigger==="approvers")&&t.server!==void 0;function Oi(t){let{message:e,context:n}=t;if(n.trigger!=="tool_approval"&&!fe(t))return a`<div class="words" dir="auto">${M(e)}</div>`;let i=Tt(B(sn(e)));return fe(t)?a`<div class="words exact whole" dir="ltr" tabindex="0" role="region" aria-labelledby="title">${i}</div>`:a`<div class="words exact" dir="ltr">${i}</div>`}var En=t=>bt(be({...t,service:""}));function be(t){let{kind:e,question:n,service:i,say:r}=t,{trigger:s}=n.context;return s==="tool_approval"?r("approvalTitle",{service:i}):s==="approvers"?r("waitingTitle",{service:i}):e==="connect"?r(s==="credential_required"?"connectTitle":"visitTitle",{service:i}):r("formTitle",{service:i})}function Sn(t,e){let n={good:k.done,bad:k.no,neutral:k.clock}[e.tone];return a`<div class="card settled" part="card" role="group" aria-labelledby="title">
    <header>
      <span class="badge ${e.tone}">${n}</span>
      <div class="title">
        <span class="isolate" id="title" dir=${En(t)}>${be(t)}</span>
        <span class="sentence" id="outcome" tabindex="-1">${e.sentence}</span>
      </div>
    </header>
  </div>`}var z=t=>t===void 0?c:a`<p class="problem">${k.warning}<span>${t}</span></p>`;function Ui(t){switch(t.kind){case"connect":return Ni(t);case"approval":return a`${fe(t.question)?c:An(t)} ${Di(t)}`;case"waiting":return a`${zi(t)} ${z(t.problem)}
        <div class="buttons">${ge(t,"takeBack")}</div>`;case"form":return a`${t.question.context.trigger==="tool_approval"&&!fe(t.question)?An(t):c} ${Bi(t)}`;case"unsupported":return a`<p>${t.say("unsupported")} <a href=${t.hosted} target="_blank" rel="noopener">${t.say("hosted")}</a></p>
        ${z(t.problem)}
        <div class="buttons">${ge(t,"decline")}</div>`}}function Ni(t){let{address:e,say:n}=t;if(!e)return a`${z(n("unsafe"))} ${z(t.problem)}
      <div class="buttons">${ge(t,"dismiss")}</div>`;let i=n(t.question.context.trigger==="credential_required"?"connect":"visit");return a`
    <dl>
      <div>
        <dt>${n("address")}</dt>
        <dd><code class="address">${e.before}<strong>${e.trust}</strong>${e.after}</code></dd>
      </div>
    </dl>
    ${e.insecure?a`<p class="warn">${k.warning}<span>${n("insecure")}</span></p>`:c} ${ji(t,e)} ${z(t.problem)}
    <div class="buttons">
      ${e.foreign?a`<a class="button primary" id="go" href=${e.href} target="_blank" rel="noopener noreferrer"
            @click=${t.open}>${i}</a>`:a`<button type="button" class="primary" id="go" @click=${t.open}>
            ${t.phase==="opened"?n("openAgain"):i}
          </button>`}
      ${ge(t,"dismiss")}
    </div>
  `}function ji(t,e){let{say:n,phase:i}=t,r=a`<a href=${e.href}>${n("sameWindow")}</a>`;switch(i){case"opened":return a`<p class="status">
        ${k.clock}<span>${n(e.foreign?"openedTab":"opened")} ${e.foreign?c:r}</span>
      </p>`;case"blocked":return z(a`${n("blocked")} ${r}`);case"confirming":return a`<p class="status">${k.clock}<span>${n("confirming")}</span></p>`}return c}function An(t){let{context:e}=t.question,{say:n}=t,i=Ie(e.arguments??""),r=i.split(`
`).length;return a`<dl>
    ${e.tool===void 0?c:a`<div>
          <dt>${n("toolLabel")}</dt>
          <dd><code><bdi>${b(e.tool)}</bdi></code></dd>
        </div>`}
    <div>
      <dt id="arguments">${r>8?n("argumentLines",{n:r}):n("arguments")}</dt>
      <dd>
        ${i===""?n("noArguments"):a`<pre class="arguments" tabindex="0" role="region" aria-labelledby="arguments">${Tt(i)}</pre>`}
      </dd>
    </div>
  </dl>`}function zi({question:t,say:e}){let n=t.approvers;if(!n)return c;let i=n.people.filter(r=>r.decision&&r.decision!=="deny").length;return a`<div class="panel">
    <p id="panel" aria-live="polite">${e("approversHave",{have:i,need:n.need})}</p>
    <ul aria-labelledby="panel">
      ${n.people.map(r=>{let s=r.decision==="deny"?"bad":r.decision?"good":"neutral",o={good:k.done,bad:k.no,neutral:k.clock}[s],d=s==="good"?"approverAllowed":s==="bad"?"approverDenied":r.late?"approverLate":"approverAsked";return a`<li class=${s}>${o}<bdi>${b(r.name)}</bdi><span>${e(d)}</span></li>`})}
    </ul>
  </div>`}function Di(t){let e=t.fields[0].options,n=e.find(r=>r.value==="asked_back"),i=e.find(r=>r.value==="changed");return a`${z(t.problem)}<div class="buttons">${e.filter(r=>r!==n&&r!==i).map(r=>Et(t,r))}</div>
  ${Hi(t,i)}${Ji(t)}${Fi(t,n)}`}function Et({say:t,phase:e,decide:n},{value:i,label:r}){return a`<button type="button" class=${i==="allow_once"?"primary":""} data-decision=${i}
    aria-disabled=${e==="sending"} @click=${()=>n(i)}>
    ${r===i&&Vi(i)?t(i):b(r)}
  </button>`}var ze=(t,e,n=!1)=>kn({id:`field-${t.fields.indexOf(e)}`,field:e,entry:t.entries[e.name],error:t.errors[e.name],say:t.say,sure:n,enter:i=>t.enter(e.name,i)}),St=(t,e)=>a`<details class="narrow"><summary>${t}</summary><div class="form">${e}</div></details>`;function Hi(t,e){return e?St(t.say("edit"),a`${t.fields.filter(O).map(n=>ze(t,n))}
      <div class="buttons">${Et(t,e)}</div>`):c}function Fi(t,e){let n=t.fields.filter(i=>i.kind==="string"&&!O(i));return n.length===0&&!e?c:St(t.say("remark"),a`${n.map(i=>ze(t,i))} ${e?a`<div class="buttons">${Et(t,e)}</div>`:c}`)}function Ji(t){let{fields:e,entries:n,say:i}=t,r=e.slice(1).filter(s=>s.kind==="choice"&&!O(s));return r.length===0?c:St(i("narrow"),a`${r.map(s=>ze(t,s,!0))}
    ${r.some(s=>n[s.name]!==void 0)?a`<div class="buttons"><button type="button" @click=${()=>r.forEach(s=>t.enter(s.name,void 0))}>${i("noLimits")}</button></div>`:c}`)}var Wi=["allow_once","always_allow","deny","asked_back"],Vi=t=>Wi.includes(t);function Bi(t){let{fields:e,say:n}=t;return a`<form class="form" novalidate @submit=${t.submit}>
    ${e.map(i=>ze(t,i))}
    ${z(t.problem)}
    <div class="buttons">
      <button class="primary" aria-disabled=${t.phase==="sending"}>${n(t.phase==="sending"?"sending":"submit")}</button>
      ${ge(t,"decline")}
    </div>
  </form>`}function ge(t,e){return a`<button type="button" class="quiet" id="decline" aria-disabled=${t.phase==="sending"} @click=${t.decline}>
    ${t.say(e)}
  </button>`}function De(t,e,n,i){let r=Ki(e,n,i),s=t.context.trigger==="credential_required";if(t.context.trigger==="approvers")return Qi(e,r,i);switch(e.action){case"accept":return n.answered&&n.decision!==void 0?Cn(n.decision,n.chosen,"",i):e.decision!==void 0?Cn(e.decision,Yi(t,e),r,i):s?{tone:"good",sentence:i("connected",{place:r})}:{tone:"good",sentence:i(t.mode==="url"?"visited":"answered",{place:r})};case"decline":return{tone:"bad",sentence:i(s?"notConnected":"declined",{place:r})};case"expire":return{tone:"neutral",sentence:i("expired")}}return e.by?{tone:"neutral",sentence:i("cancelled",{place:r})}:{tone:"neutral",sentence:i(e.reason==="superseded"?"superseded":"withdrawn")}}function Qi(t,e,n){if(t.action==="expire")return{tone:"neutral",sentence:n("expired")};if(t.by)return{tone:"neutral",sentence:n("takenBack",{place:e})};let i=b(t.reason??"");return t.action==="accept"?{tone:"good",sentence:n("othersAllowed",{reason:i})}:t.action==="decline"?{tone:"bad",sentence:n("othersDenied",{reason:i})}:{tone:"neutral",sentence:n("withdrawn")}}function Yi(t,{decision:e,limits:n}){return Ct(ne(t.requestedSchema)??[],{...n,decision:e})}function Ct(t,e){return t.flatMap(({name:i,options:r})=>r.find(s=>s.value===e[i]&&s.label!==s.value)?.label??[]).map(b).join(" · ")}function Cn(t,e,n,i){switch(t){case"allow_once":return{tone:"good",sentence:i("allowed_once",{place:n})};case"always_allow":return{tone:"good",sentence:e?i("allowed_as",{chosen:e,place:n}):i("allowed_always",{place:n})};case"changed":return{tone:"good",sentence:i("allowed_changed",{place:n})};case"asked_back":return{tone:"neutral",sentence:i("asked_back_done",{place:n})};case"deny":return{tone:"bad",sentence:i("denied",{place:n})}}return{tone:"good",sentence:i("answered",{place:n})}}function Ki(t,e,n){if(e.answered)return"";switch(t.via){case"page":return n("onPage");case"slack":return n("inSlack");case void 0:case"chat":return e.watched?n("elsewhere"):""}return n("elsewhere")}var He=t=>e=>e.n===1?`1 ${t}`:`${e.n} ${t}s`,Rn=He("character"),Pn=He("choice"),Gi=t=>t<60?He("second")({n:t}):He("minute")({n:t/60}),Zi={log:"Conversation",you:"You",assistant:"Assistant",placeholder:"Write a message",send:"Send",stop:"Stop",newConversation:"New conversation",empty:"Ask something to begin.",loading:"Loading the conversation…",thinking:"Working…",copyAnswer:"Copy answer",copyCode:"Copy code",copied:"Copied",again:"Ask again",turnFailed:"This answer failed.",turnStopped:"You stopped this answer.",taskDone:"done:",taskOpen:"to do:",stopped:"You stopped watching this answer. What was begun may go on.",resume:"Show the rest",waiting:t=>t.n===1?"A question waits for you":`${t.n} questions wait for you`,latest:"Latest message",unsent:"Not sent",lost:"The connection was lost. Trying again…",troubled:"{said} Trying again…",tryNow:"Try now",retry:"Try again",unreachable:"The server could not be reached. Check your connection and try again.",unreachableFrom:"The server could not be reached, or does not let pages of {origin} use it. Check your connection; if others can reach it, tell whoever runs it to list this origin.",signedOut:"You are not signed in, or no longer. Sign in and try again.",forbidden:"You may not do this. Ask whoever runs this site for access.",tooMany:"That was too much at once. Wait a moment and try again.",failed:"Something went wrong at the server. Try again.",connectLink:"Connect",tool:"Tool",toolCalls:"{n} tool calls",toolsDone:"all done",toolsFailed:"{n} failed",toolWriting:"preparing",toolRunning:"running",toolAsking:"waits for you",toolDone:"done",toolFailed:"failed",toolDenied:"denied",toolInput:"Input",toolOutput:"Result",toolError:"Error",image:"Image",imageGone:"{name} cannot be shown.",progressOf:"{done} of {total}",connectTitle:"Connect {service}",visitTitle:"{service} asks you to open a page",approvalTitle:"{service} needs your approval",waitingTitle:"Others decide about {service}",approversHave:"Allowed by {have} of the {need} who are needed.",approverAllowed:"allowed it",approverDenied:"denied it",approverAsked:"is asked",approverLate:"did not answer in time",othersAllowed:"Allowed: {reason}.",othersDenied:"Not allowed: {reason}.",takenBack:"You took it back{place}.",takeBack:"Take it back",formTitle:"{service} asks you",someone:"A service without a name",says:"{service} says:",account:"You answer as",toolLabel:"Tool",arguments:"Arguments",argumentLines:"Arguments, {n} lines",noArguments:"None",address:"You will go to",insecure:"This address is not encrypted: others on the network can read what you enter there.",unsafe:"The address of this question is not safe to open, so it is not offered. You can dismiss the question.",connect:"Connect",visit:"Open the page",dismiss:"Dismiss",decline:"Decline",submit:"Send answer",sending:"Sending…",opened:"Continue in the window that has opened. This card closes when it is done.",openedTab:"Continue in the tab that has opened. This card closes when it is done.",blocked:"Your browser kept the window from opening.",sameWindow:"Open it in this window instead",openAgain:"Open it again",confirming:"Done there. Waiting for the server to confirm…",unsupported:"This question cannot be shown here.",hosted:"Answer it on its own page",allow_once:"Allow once",noLimits:"Take the limits back",remark:"Say why, or ask back",narrow:"Limits for a permission that stays",limitsUnused:"You set limits for a permission that stays. Press “{always}” to use them, or take them back.",always_allow:"Always allow",edit:"Change the arguments",deny:"Deny",asked_back:"Ask back",expiresIn:"{time} left",expiresAt:"Open until {time}",secondsLeft:t=>`${Gi(Number(t.n))} left to answer ${t.service}.`,announce:"Question from {service}: {message}",connected:"Connected{place}.",notConnected:"Not connected: you dismissed it{place}.",visited:"Done{place}.",allowed_once:"You allowed it once{place}.",allowed_always:"You allowed it from now on{place}.",allowed_changed:"You allowed it with changes{place}.",allowed_as:"You chose{place}: {chosen}.",denied:"You denied it{place}.",asked_back_done:"You asked back{place}: the call was not made.",answered:"Answered{place}.",declined:"Declined{place}.",cancelled:"Cancelled{place}.",withdrawn:"No longer asked.",superseded:"A newer question has taken its place.",expired:"Expired. Nobody answered in time.",onPage:" on the hosted page",inSlack:" in Slack",elsewhere:" elsewhere",answerUnreachable:"The answer could not be sent. Check your connection and try again.",answerSignedOut:"You are not signed in, or no longer. Sign in and answer again.",answerForbidden:"This question is not yours to answer, or it does not exist any more.",answerSettled:"Answered elsewhere in the meantime.",answerFailed:"The server could not take the answer. Try again.",answerInvalid:"Please correct what is marked.",required:"required",choose:"Choose…",yes:"Yes",no:"No",emptyOption:"(empty)",noAnswer:"No answer",localTime:"Your local time, UTC{offset}",error:"Error:",hintLength:"{range} characters",hintChoices:"Choose {range}",from:"From {low} to {high}",atLeast:"At least {low}",atMost:"At most {high}",exactly:"Exactly {low}",errorRequired:"{label} is required.",errorNumber:"{label} must be a number.",errorInteger:"{label} must be a whole number.",errorDigits:"{label} has too many digits to be sent from here exactly.",errorMinimum:"{label} must be at least {n}.",errorMaximum:"{label} must be at most {n}.",errorMinLength:t=>`${t.label} must be at least ${Rn(t)} long.`,errorMaxLength:t=>`${t.label} must be at most ${Rn(t)} long.`,errorPattern:"{label} does not have the form that is asked for.",errorEmail:"{label} must be an email address such as name@example.com.",errorUri:"{label} must be a full address such as https://example.com/page.",errorDate:"{label} must be a date such as 2026-01-31.",errorDateTime:"{label} must be a date and time.",errorMinItems:t=>`${t.label} must have at least ${Pn(t)}.`,errorMaxItems:t=>`${t.label} must have at most ${Pn(t)}.`};function Fe(t){return(e,n={})=>{let i=t?.[e]??Zi[e];return typeof i=="function"?i(n):i.replace(/\{(\w+)\}/g,(r,s)=>s in n?String(n[s]):r)}}function Je(t){return t?.context.serviceTitle?.trim()||t?.context.service?.trim()||""}function We(t){let e=f(t),n=u(e?.elicitationId),i=e?.mode;if(!(!e||!n||i!=="form"&&i!=="url"))return{elicitationId:n,mode:i,message:u(e.message)??"",url:u(e.url),requestedSchema:e.requestedSchema,fieldOrder:e.fieldOrder===void 0?void 0:x(e.fieldOrder).flatMap(r=>u(r)??[]),expiresAt:u(e.expiresAt),context:er(f(e.context)??{}),approvers:Xi(e.approvers),outcome:tr(e.outcome)}}function Xi(t){let e=f(t),n=e?.need;if(!e||typeof n!="number")return;let i=x(e.people).flatMap(r=>{let s=f(r),o=u(s?.name);if(!s||!o)return[];let d=u(s.decision);return[{name:o,decision:d,late:d===void 0&&u(s.at)!==void 0}]});return{need:n,people:i}}function er(t){let e=t.arguments;return{trigger:u(t.trigger),service:u(t.service),serviceTitle:u(t.serviceTitle),account:u(t.account),tool:u(t.tool),toolCallId:u(t.toolCallId),parentToolCallId:u(t.parentToolCallId),arguments:typeof e=="string"||e===void 0?e:JSON.stringify(e),server:u(t.server),domain:u(t.domain),settledBy:u(t.settledBy)}}function tr(t){let e=f(t);if(!e)return;let n=Object.entries(f(e.limits)??{}).flatMap(([o,d])=>typeof d=="string"?[[o,d]]:[]),i={via:u(e.via),reason:u(e.reason),at:u(e.at),decision:u(e.decision),limits:n.length>0?Object.fromEntries(n):void 0},r=e.action;return r==="accept"||r==="decline"||r==="cancel"||r==="expire"?{action:r,by:u(e.by),...i}:{action:"cancel",...i}}var Rt=Fe({allowed_once:"Allowed once{place}.",allowed_always:"Allowed from now on{place}.",allowed_as:"Chosen{place}: {chosen}.",denied:"Denied{place}.",notConnected:"Not connected: dismissed{place}."}),nr=new Intl.DateTimeFormat(void 0,{dateStyle:"medium",timeStyle:"short"});function S(t){let e=new Date(t??"");return Number.isNaN(e.valueOf())?"":nr.format(e)}var ir=t=>Pe(Je(t)||Rt("someone"));function D({question:t}){return be({kind:t.mode==="url"?"connect":"form",question:t,service:ir(t),say:Rt})}var Ve=({question:t})=>b(t.message),rr={inbox:"in the inbox",page:"on its page",chat:"in the chat",slack:"in Slack",terminal:"in the terminal"};function In({question:t}){let e=t.outcome;if(!e)return{tone:"neutral",sentence:"",where:""};let n=De(t,{...e,via:"chat"},{answered:!1,watched:!1},Rt),i=e.by?`by ${b(e.by)}`:"",r=e.via?rr[e.via]??`through ${b(e.via)}`:"";return{...n,where:[i,r,S(e.at)].filter(s=>s!=="").join(" · ")}}var sr={active:"Connected",expired:"Expired: connect it again",rejected:"Not accepted any more: connect it again",revoked:"Revoked",insufficient_scope:"It may do less than is needed: connect it again"},Be=class extends Z{path="/api/connections";words={title:"Connected accounts",none:"No account of yours is connected. You are asked when one is needed.",take:"Disconnect",sure:"Really disconnect"};key(e){return u(e.server)??""}called(e){return b(this.key(e))}removal(e){return`/api/connections/${encodeURIComponent(this.key(e))}?${new URLSearchParams({scope:"user",owner:this.user})}`}about(e){let n=x(e.scopes).flatMap(s=>u(s)??[]),i=u(e.provider)??u(e.issuer),r=u(e.status)??"";return a`<strong>${this.called(e)}</strong>
      <div class=${r==="active"?"good":"bad"}>${sr[r]??b(r)}</div>
      <div class="meta">Used for calls of ${this.called(e)} on your behalf${i?`, through ${b(i)}`:""}.</div>
      ${n.length>0?a`<div class="meta">It may: ${n.map(b).join(", ")}</div>`:c}
      <div class="meta">Connected ${S(u(e.created_at))}${e.updated_at?` · renewed ${S(u(e.updated_at))}`:c}</div>`}};function Qe(t,e){let n=f(t)??{};return{items:x(n.items).flatMap(i=>Ye(i,e)??[]),next:u(n.next_cursor)}}function Ye(t,e){let n=f(t),i=u(n?.id);if(!n||!i)return;let r=f(n.labels)??{},s=p=>u(r[p]),o=s("brief"),d=o===void 0?qn(n,r,e):or(n,r,o,`${e}/answer/${i}`),l=We(d);if(l)return{id:i,pending:n.state==="pending",createdAt:u(n.created_at)??"",asker:s("asker")===u(n.to)?void 0:s("asker"),conversation:u(n.session),others:l.context.trigger==="approvers",long:o!==void 0,request:d,question:l}}function qn(t,e,n){let i=u(t.url)?.startsWith(`${n}/`);return{elicitationId:t.id,mode:t.mode,message:t.message,url:t.url,requestedSchema:t.requested_schema,expiresAt:t.expires_at,context:{trigger:t.trigger,service:t.from,serviceTitle:e.title,account:t.to,server:e.server,tool:e.tool,settledBy:i?"page":e.settled_by},outcome:ar(t.outcome)}}function or(t,e,n,i){return{...qn({...t,url:i},e,new URL(i).origin),mode:"url",message:n,requestedSchema:void 0}}function ar(t){let e=f(t);return e&&{...e,decision:e.decision??f(e.content)?.decision}}var Ke=class extends ${static styles=[T,E,U];static properties={user:{}};#e=[];#t;#n=!1;#i;firstUpdated(){this.#r()}async#r(){if(!this.#n){this.#n=!0,this.#i=void 0,this.requestUpdate();try{let e=new URLSearchParams({state:"settled",user:this.user,limit:"50",...this.#t&&{cursor:this.#t}}),n=Qe(await R(`/api/elicitations?${e}`),location.origin);this.#e=[...this.#e,...n.items],this.#t=n.next}catch(e){this.#i=e.message}this.#n=!1,this.requestUpdate()}}render(){return a`<div class="bar"><h2>What was settled</h2></div>
      ${this.#e.length===0&&!this.#n&&!this.#i&&!this.#t?a`<p class="empty">Nothing was asked of you yet, or it was forgotten.</p>`:c}
      <ul class="things">${this.#e.map(dr)}</ul>
      ${this.#i?a`<p class="problem" role="alert">${this.#i}</p>`:c}
      ${this.#t||this.#i?a`<p><button type="button" @click=${()=>{this.#r()}}>${this.#n?"Reading…":"Show more"}</button></p>`:c}`}};function dr(t){let e=In(t);return a`<li class="thing">
    <div class="about">
      <strong dir="auto">${D(t)}</strong>
      <div class="clip" dir="auto">${Ve(t)}</div>
      <div class="meta">Asked ${S(t.createdAt)}${t.asker?` for ${b(t.asker)}`:""} · <a href="/answer/${t.id}">Its page</a></div>
    </div>
    <div>
      <span class=${e.tone}>${e.sentence}</span>
      <div class="meta">${e.where}</div>
    </div>
  </li>`}var lr=4;function Pt({question:t,long:e,others:n},i){if(n)return;let r=t.mode==="form"?ne(t.requestedSchema)?.[0]:void 0;return t.context.trigger==="tool_approval"&&!e&&r?.name==="decision"&&r.options.some(o=>o.value===i)?{action:"accept",content:{decision:i}}:i==="deny"?{action:"decline"}:void 0}var Ge=class extends ${static styles=[T,E,U,Me];static properties={items:{attribute:!1}};#e=[];#t=new Map;#n="asking";focus(){this.updateComplete.then(()=>this.renderRoot.querySelector("h2")?.focus())}willUpdate(){this.#n==="asking"&&(this.#e=this.items)}render(){let e=this.#e.filter(n=>!Pt(n,"allow_once")).length;return a`<h2 tabindex="-1">${this.#e.length} questions</h2>
      ${e>0&&this.#n==="asking"?a`<p class="muted">${e} of them cannot be allowed from here. They stay open when you allow the others, and are declined, where that is possible, when you deny them all.</p>`:c}
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
      <td>${D(e)}</td>
      <td class="words" dir="auto">${i?B(e.question.message):M(e.question.message)}</td>
      <td class=${n?.tone??""}>${n?.text??"Open"}</td>
    </tr>`}#r(e){if(this.#n==="done")return a`<button type="button" class="primary" @click=${()=>this.#l("inbox-done","")}>Back to the list</button>`;let n=this.#n==="sending";return a`<button type="button" id="allow" aria-disabled=${n||e===this.#e.length} @click=${()=>{this.#d("allow_once")}}>
        Allow each once
      </button>
      <button type="button" id="deny" aria-disabled=${n} @click=${()=>{this.#d("deny")}}>Deny each</button>`}#s(){if(this.#n==="asking")return"";let e=[...this.#t.values()].filter(n=>n.tone==="bad").length;return`${this.#t.size} of ${this.#e.length} done${e>0?`, ${e} not as you said`:""}.`}async#d(e){if(this.#n!=="asking"||e==="allow_once"&&!this.#e.some(r=>Pt(r,e)))return;this.#n="sending",this.requestUpdate();let n=[...this.#e],i=async()=>{for(let r=n.shift();r;r=n.shift())await this.#o(r,e)};await Promise.all(Array.from({length:lr},i)),this.#n="done",this.requestUpdate()}async#o(e,n){let i=Pt(e,n);if(!i)this.#t.set(e.id,{tone:"muted",text:"Left open: answer it by itself."});else try{await ln(e.id,i.action,i.content),this.#t.set(e.id,{tone:"good",text:n==="allow_once"?"Allowed once.":i.content?"Denied.":"Declined."}),this.#l("inbox-answered",e.id)}catch(r){this.#t.set(e.id,{tone:"bad",text:r.message})}this.requestUpdate()}#l(e,n){this.dispatchEvent(new CustomEvent(e,{detail:n}))}};var Ze=class extends Z{path="/api/permissions";words={title:"What you have allowed and refused",none:"Nothing is allowed or refused for good. You are asked each time.",take:"Take back",sure:"Really take back"};key(e){return u(e.id)??""}called(e){let n=u(e.tool),i=b(u(e.server)??"");return n?[b(n),i&&`of ${i}`].join(" ").trim():`every tool of ${i}`}removal(e){return`/api/permissions/${encodeURIComponent(this.key(e))}?${new URLSearchParams({user:this.user})}`}about(e){let n=e.effect==="allow",i=u(e.until),r=u(e.arguments),s=[e.once===!0?"for one call":"",e.session?"in one conversation":"",e.digest?"with these arguments only":"with any arguments",i?`until ${S(i)}`:"until you take it back"].filter(o=>o!=="");return a`<strong><span class=${n?"good":"bad"}>${n?"Allowed":"Refused"}</span>: ${this.called(e)}</strong>
      <div>${s.join(", ")}</div>
      ${r?a`<pre tabindex="0" role="region" aria-label="Arguments of ${this.called(e)}">${Ie(r)}</pre>`:c}
      <div class="meta">Since ${S(u(e.created_at))} · used ${String(e.uses??0)} times</div>`}};var Mn=X(class extends N{constructor(){super(...arguments),this.key=c}render(t,e){return this.key=t,e}update(t,[e,n]){return e!==this.key&&(te(t),this.key=e),n}});var Ln=(t,e,n)=>{let i=new Map;for(let r=e;r<=n;r++)i.set(t[r],r);return i},On=X(class extends N{constructor(t){if(super(t),t.type!==L.CHILD)throw Error("repeat() can only be used in text expressions")}dt(t,e,n){let i;n===void 0?n=e:e!==void 0&&(i=e);let r=[],s=[],o=0;for(let d of t)r[o]=i?i(d,o):o,s[o]=n(d,o),o++;return{values:s,keys:r}}render(t,e,n){return this.dt(t,e,n).values}update(t,[e,n,i]){let r=gn(t),{values:s,keys:o}=this.dt(e,n,i);if(!Array.isArray(r))return this.ut=o,s;let d=this.ut??=[],l=[],p,m,h=0,y=r.length-1,g=0,v=s.length-1;for(;h<=y&&g<=v;)if(r[h]===null)h++;else if(r[y]===null)y--;else if(d[h]===o[g])l[g]=j(r[h],s[g]),h++,g++;else if(d[y]===o[v])l[v]=j(r[y],s[v]),y--,v--;else if(d[h]===o[v])l[v]=j(r[h],s[v]),ee(t,l[v+1],r[h]),h++,v--;else if(d[y]===o[g])l[g]=j(r[y],s[g]),ee(t,r[h],r[y]),y--,g++;else if(p===void 0&&(p=Ln(o,g,v),m=Ln(d,h,y)),p.has(d[h]))if(p.has(d[y])){let P=m.get(o[g]),ot=P!==void 0?r[P]:null;if(ot===null){let Mt=ee(t,r[h]);j(Mt,s[g]),l[g]=Mt}else l[g]=j(ot,s[g]),ee(t,r[h],ot),r[P]=null;g++}else Le(r[y]),y--;else Le(r[h]),h++;for(;g<=v;){let P=ee(t,l[v+1]);j(P,s[g]),l[g++]=P}for(;h<=y;){let P=r[h++];P!==null&&Le(P)}return this.ut=o,te(t,l),A}});var Xe=class{constructor(e,n,i){this.user=e;this.changed=n;this.settled=i}user;changed;settled;items=[];next;loading=!0;problem;connected=!0;#e;#t=new Set;run(e){return cn(this.user,{item:n=>this.#i(Ye(n,location.origin)),reload:()=>{this.reload()},connected:n=>{!n&&!this.#e&&this.reload(),n!==this.connected&&(this.connected=n,this.changed())}},e)}async reload(){await this.#e,await(this.#e=this.#r(async()=>{let e=this.items,n=[],i;do{let o=await this.#s(i);n.push(...o.items),i=o.next}while(i&&n.length<e.length);this.items=n,this.next=i;let r=new Set(n.map(o=>o.id)),s=n.at(-1)?.id??"";for(let o of e)!r.has(o.id)&&(!i||o.id>s)&&await this.#n(o.id)}))}async more(){!this.next||this.loading||await(this.#e=this.#r(async()=>{let e=await this.#s(this.next);this.items=Un(this.items,e.items),this.next=e.next}))}async upTo(e){for(await this.#e;this.next&&!this.problem&&this.items.length<e;)await this.more()}remove(e){this.#t.add(e),this.items=this.items.filter(n=>n.id!==e),this.changed()}async#n(e){this.#i(Ye(await R(`/api/elicitations/${encodeURIComponent(e)}`),location.origin))}#i(e){e&&(e.pending?this.items=Un(this.items,this.#t.has(e.id)?[]:[e]):(this.remove(e.id),this.settled(e)),this.changed())}async#r(e){this.loading=!0,this.problem=void 0,this.changed();try{await e()}catch(n){this.problem=n.message}this.loading=!1,this.#e=void 0,this.changed()}async#s(e){let n=new URLSearchParams({state:"pending",user:this.user,limit:"50",...e&&{cursor:e}}),i=Qe(await R(`/api/elicitations?${n}`),location.origin);return{...i,items:i.items.filter(r=>!this.#t.has(r.id))}}};function Un(t,e){return[...new Map([...t,...e].map(i=>[i.id,i])).values()].sort((i,r)=>i.id<r.id?1:-1)}var It=500,et=class extends ${static styles=[T,E,U,Me];static properties={user:{}};#e;#t;#n;#i="";#r=!1;#s=new Map;#d=!1;#o;#l;#c="";connectedCallback(){super.connectedCallback(),this.addEventListener("keydown",this.#g),this.addEventListener("parley-answered",this.#a),this.addEventListener("parley-hint",()=>{this.#e?.reload()})}disconnectedCallback(){super.disconnectedCallback(),this.removeEventListener("keydown",this.#g),this.removeEventListener("parley-answered",this.#a),this.#t?.abort(),this.#e=void 0}#h(){this.#t=new AbortController;let e=new Xe(this.user,()=>this.#E(),n=>this.#u(n));return e.run(this.#t.signal),e}#E(){let{items:e,next:n,loading:i}=this.#e;(!this.#i||!e.some(o=>o.id===this.#i))&&this.#b();let r=e.filter(o=>!o.others).length,s=r===0?"":`${r}${n?"+":""}`;!i&&s!==this.#l&&(this.#l=s,this.dispatchEvent(new CustomEvent("inbox-count",{detail:s}))),this.requestUpdate()}#b(){let e=this.shadowRoot?.activeElement?.classList.contains("row"),{items:n}=this.#e;this.#i=(n.find(i=>i.id<this.#i)??n.at(-1))?.id??"",e&&(this.#o="row")}#u(e){this.#s.delete(e.id),this.#n?.id===e.id?this.#n=e:this.#c=`No longer open: ${D(e)}`}#a=e=>this.#e?.remove(e.detail.elicitationId);render(){let e=this.#e??=this.#h(),n=this.#n!==void 0||this.#d;return a`<div class="panes ${n?"opened":""}">
        <div class="choose">${this.#y(e)} ${this.#m(e)} ${this.#v(e)}</div>
        <section class="detail ${n?"":"none"}" aria-label="Open question">${this.#C(e)}</section>
      </div>
      <div class="hidden" role="status">${this.#c}</div>`}#y({items:e,next:n}){return e.length===0?c:a`<div class="bar">
      <h2>Waiting for you</h2>
      ${this.#r?a`<button type="button" @click=${()=>{this.#R()}}>Choose all${n?`, up to ${It}`:""}</button>
            <button type="button" class="primary" aria-disabled=${this.#s.size===0} @click=${this.#A}>Answer ${this.#s.size}…</button>
            <button type="button" class="quiet" @click=${this.#f}>Cancel</button>`:a`<button type="button" @click=${()=>this.#$(()=>this.#r=!0)}>Choose several</button>`}
    </div>`}#m({problem:e,connected:n,loading:i,items:r}){return a`${e?a`<p class="problem" role="alert">${e} <button type="button" @click=${()=>{this.#e?.reload()}}>Try again</button></p>`:c}
      ${n?c:a`<p class="notice" role="status">The connection is lost. Trying again…</p>`}
      ${r.length>0||e?c:i?a`<p class="empty">Looking for questions…</p>`:a`<p class="empty">Nothing waits for you. New questions appear here by themselves.</p>`}`}#v({items:e,next:n,loading:i}){return e.length===0?c:a`<p class="hidden" id="keys">Use j and k or the arrow keys to go from one to the next, Enter to open one, Escape to come back.</p>
      <ul class="list" aria-label="Open questions" aria-describedby="keys" @scroll=${this.#p}>
        ${On(e,r=>r.id,r=>this.#S(r))}
        ${n?a`<li class="more"><button type="button" @click=${()=>{this.#e?.more()}}>${i?"Reading…":"Show more"}</button></li>`:c}
      </ul>`}#S(e){let n=e.asker?` · for ${b(e.asker)}`:"";return a`<li>
      ${this.#r?a`<label class="pick"><span class="hidden">Choose: ${D(e)}</span
            ><input type="checkbox" .checked=${this.#s.has(e.id)} @change=${()=>this.#_(e)} /></label>`:c}
      <button type="button" class="row" data-id=${e.id} tabindex=${e.id===this.#i?0:-1} aria-current=${e.id===this.#n?.id}
        @focus=${()=>this.#$(()=>this.#i=e.id)} @click=${()=>this.#w(e)}>
        <strong dir="auto">${D(e)}</strong>
        <span class="clip" dir="auto">${Ve(e)}</span>
        <span class="meta">${S(e.createdAt)}${n}</span>
      </button>
    </li>`}#C(e){let n=a`<button type="button" class="back" @click=${this.#x}>Back to the list</button>`;if(this.#d)return a`${n}<parley-inbox-many .items=${[...this.#s.values()]} @inbox-done=${this.#f}
          @inbox-answered=${o=>e.remove(o.detail)}></parley-inbox-many>`;let i=this.#n;if(!i)return a`<p class="empty keys">${e.items.length===0?c:a`Choose a question: <kbd>j</kbd> <kbd>k</kbd> <kbd>Enter</kbd>`}</p>`;let r=e.items.some(o=>o.id!==i.id),s=!i.pending||!e.items.some(o=>o.id===i.id);return a`${n}
      <p class="meta">Asked ${S(i.createdAt)}${i.asker?a` for <bdi>${b(i.asker)}</bdi>`:c} ·
        <a href="/answer/${i.id}" target="_blank" rel="noopener">Its own page</a></p>
      ${Mn(i.id,a`<parley-question .request=${i.request} endpoint="/answer/${i.id}"></parley-question>`)}
      ${s?a`<div class="after">
            ${r?a`<button type="button" class="primary" id="next" @click=${this.#k}>Next question</button>`:a`<p class="muted">Nothing else waits for you.</p>`}
          </div>`:c}`}#$(e){e(),this.requestUpdate()}#w(e){this.#n=e,this.#i=e.id,this.#d=!1,this.#o="question",this.requestUpdate()}#k=()=>{let{items:e}=this.#e,n=e.find(i=>i.id<(this.#n?.id??""))??e[0];n&&this.#w(n)};#x=()=>{this.#n=void 0,this.#d=!1,this.#o="row",this.requestUpdate()};#_(e){this.#s.delete(e.id)||this.#s.set(e.id,e),this.requestUpdate()}async#R(){await this.#e?.upTo(It);for(let e of this.#e?.items.slice(0,It)??[])this.#s.set(e.id,e);this.requestUpdate()}#A=()=>{this.#s.size!==0&&(this.#d=!0,this.#n=void 0,this.#o="many",this.requestUpdate())};#f=()=>{this.#d&&this.#e?.reload(),this.#r=this.#d=!1,this.#s.clear(),this.#o="row",this.requestUpdate()};#p=e=>{let n=e.currentTarget;n.scrollHeight-n.scrollTop-n.clientHeight<400&&this.#e?.more()};#g=e=>{let n=e.composedPath()[0],i=/^(input|textarea|select)$/i.test(n.tagName)||n.isContentEditable;if(e.ctrlKey||e.metaKey||e.altKey||e.defaultPrevented)return;if(e.key==="Escape"&&(this.#n||this.#d))return e.preventDefault(),this.#x();let r=n.classList.contains("row"),s={j:1,k:-1,...r&&{ArrowDown:1,ArrowUp:-1}}[e.key];i||s===void 0||(e.preventDefault(),this.#P(s,r))};#P(e,n){let{items:i}=this.#e,r=i.findIndex(o=>o.id===this.#i),s=i[Math.max(0,Math.min(i.length-1,n?r+e:r))];s&&(this.#i=s.id,this.#o="row",r+e>=i.length-5&&this.#e?.more(),this.requestUpdate())}async updated(){let e=this.#o;if(this.#o=void 0,e==="row"&&this.renderRoot.querySelector(`.row[data-id="${CSS.escape(this.#i)}"]`)?.focus(),e==="many"&&this.renderRoot.querySelector("parley-inbox-many")?.focus(),e!=="question")return;let n=this.renderRoot.querySelector("parley-question");await n?.updateComplete,n?.focus()}};function qt(t,e,n){let i=Nn(t);if(!i||i.protocol!=="https:"&&i.protocol!=="http:"||i.username!==""||i.password!=="")return;let{hostname:r,host:s,href:o,origin:d}=i,l=n&&(r===n||r.endsWith(`.${n}`)),p=l?n:s,m=o.indexOf("//")+2+(l?r.length-n.length:0);return{href:o,before:o.slice(0,m),trust:p,after:o.slice(m+p.length),foreign:d!==Nn(e)?.origin,insecure:i.protocol==="http:"&&!cr(r)}}function Nn(t){try{return new URL(t??"")}catch{return}}function cr(t){return t==="localhost"||t.endsWith(".localhost")||t==="[::1]"||/^127(\.\d+){3}$/.test(t)}var re=class extends Error{constructor(n,i,r=[]){super(i??`status ${n}`);this.status=n;this.said=i;this.fields=r}status;said;fields;get passing(){return this.status>=500||this.status===408||this.status===425||this.status===429}};async function jn(t,e,n,i){let r=JSON.stringify({conversationId:n,...i}),s=await ur(t,e,{method:"POST",body:r});if(!s.ok)throw await pr(s)}async function ur(t,e,n){let i=new Headers({"x-supports-elicitation":"true"});n.body!==void 0&&i.set("content-type","application/json");let r=e.token||await e.getToken?.();return r&&i.set("authorization",`Bearer ${r}`),fetch(t,{...n,headers:i,cache:"no-store",credentials:r?"same-origin":"include"})}async function pr(t){let e=f(Q(await t.text().catch(()=>""))),n=e?.error,i=[];for(let r of x(e?.fields)){let s=u(f(r)?.message),o=(u(f(r)?.field)??"").replace(/\[\d+\]$/,"");s&&i.push({field:o,message:s})}return new re(t.status,u(n)??u(f(n)?.message),i)}var nt=class{#e=0;now(){return Date.now()+this.#e}note(e){let n=Date.parse(e.headers.get("date")??"");if(Number.isNaN(n))return;let i=n+500-Date.now();this.#e=Math.abs(i)>2e3?i:0}},ye=1e3,it=60*ye,tt=60*it,zn=24*tt;function Dn(t){let e=Math.max(0,t);if(e>=2*zn)return`${Math.floor(e/zn)} d`;if(e>=tt)return`${Math.floor(e/tt)} h ${Math.floor(e%tt/it)} min`;let n=Math.ceil(e/ye);return`${Math.floor(n/60)}:${String(n%60).padStart(2,"0")}`}var hr=[5*it,it,30*ye,10*ye];function Hn(t,e){let n=hr.filter(i=>t>i&&e<=i);return n.length>0&&e>0?Math.min(...n)/ye:void 0}var rt=class{constructor(e,n,i){this.host=e;this.say=n;this.over=i;e.addController(this)}host;say;over;left;#e=Number.NaN;#t;#n;#i=!1;start(e,n){this.#e=Date.parse(e??""),this.#t=n;let i=this.#e-n.now();this.left=i>0?i:void 0,this.#r()}stop(){this.left=void 0,this.#r()}hostConnected(){this.#i=!0,this.#r()}hostDisconnected(){this.#i=!1,this.#r()}#r(){clearInterval(this.#n),this.#i&&this.left!==void 0&&(this.#n=setInterval(()=>this.#s(),1e3))}#s(){let e=this.left??0;this.left=Math.max(0,this.#e-this.#t.now());let n=Hn(e,this.left);n!==void 0&&this.say(n),this.left===0&&(this.stop(),this.over()),this.host.requestUpdate()}};function Fn(t){let e=Math.min(560,screen.availWidth),n=Math.min(760,screen.availHeight),i=Math.round(window.screenX+(window.outerWidth-e)/2),r=Math.round(window.screenY+(window.outerHeight-n)/2),s=window.open(t,"parley-connect",`popup,width=${e},height=${n},left=${i},top=${r}`);return!s||s.closed?!1:(s.focus(),!0)}var Jn=C`
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
`;var mr=6e4,st=class extends ${static styles=[T,E,Jn];static properties={request:{attribute:!1},endpoint:{},base:{},conversation:{},token:{attribute:!1},getToken:{attribute:!1},strings:{attribute:!1},theme:{reflect:!0},clock:{attribute:!1}};#e;#t;#n={};#i=Object.create(null);#r;#s="ready";#d;#o={answered:!1,watched:!1};#l="";#c;#h=new rt(this,e=>this.#l=this.#a("secondsLeft",{n:e,service:this.#y()}),()=>this.#u({action:"expire"}));constructor(){super(),this.clock=new nt}get pending(){return this.#e!==void 0&&!this.#e.outcome&&!this.#d}focus(e){this.renderRoot.querySelector("#outcome, #title")?.focus(e)}refuse(e,n=[]){this.#g("ready"),this.#r=[e,...this.#f(n)].join(" "),this.requestUpdate()}connectedCallback(){super.connectedCallback(),window.addEventListener("message",this.#k)}disconnectedCallback(){super.disconnectedCallback(),window.removeEventListener("message",this.#k)}willUpdate(e){e.has("request")&&this.#E(We(this.request))}#E(e){let n=e?.elicitationId!==this.#e?.elicitationId;this.#e=e,n&&(this.#t=e?.mode==="form"?ne(e.requestedSchema,e.fieldOrder):void 0,this.#n=vn(this.#t??[]),this.#i=Object.create(null),this.#r=this.#d=void 0,this.#s="ready",this.#o={answered:!1,watched:!1},this.#h.start(e?.expiresAt,this.clock)),this.pending?this.#o.watched=!0:this.#b()}#b(){this.#h.stop(),this.shadowRoot?.activeElement&&(this.#c="outcome")}#u(e){this.#d=e,this.#b(),this.requestUpdate()}get#a(){return Fe(this.strings)}#y(){return Pe(Je(this.#e)||this.#a("someone"))}#m(){return new URL(this.base||this.endpoint||location.origin,document.baseURI).href}#v(){let e=this.#e;if(e.context.trigger==="approvers")return"waiting";if(e.mode==="url")return"connect";if(!this.#t)return"unsupported";let[n,...i]=this.#t;return e.context.trigger==="tool_approval"&&n?.name==="decision"&&n.kind==="choice"&&!i.some(s=>s.required||s.kind!=="choice"&&!O(s)&&!(s.kind==="string"&&s.name==="reason"))?"approval":"form"}render(){if(!this.#e)return c;let e=this.#C(this.#e),n=this.#S();return a`${n?Sn(e,n):Tn(e,this.#$())}
      <div class="hidden" role="status">${n&&this.#o.watched?n.sentence:this.#l}</div>
      <div class="hidden" role="alert">${n?c:this.#r}</div>`}#S(){let e=this.#e.outcome??this.#d;return e==="elsewhere"?{tone:"neutral",sentence:this.#a("answerSettled")}:e&&De(this.#e,e,this.#o,this.#a)}#C(e){let n=this.#m();return{kind:this.#v(),question:e,service:this.#y(),phase:this.#s,problem:this.#r,address:e.mode==="url"?qt(e.url,n,e.context.domain):void 0,hosted:new URL(`answer/${encodeURIComponent(e.elicitationId)}`,new URL("/",n)).href,fields:this.#t??[],entries:this.#n,errors:this.#i,say:this.#a,open:this.#w,submit:this.#x,decline:()=>{this.#p("decline")},decide:i=>this.#R(i),enter:(i,r)=>{this.#n={...this.#n,[i]:r},delete this.#i[i],this.requestUpdate()}}}#$(){let{left:e}=this.#h;if(e===void 0)return c;let n=new Date(this.#e?.expiresAt??"").toLocaleString(this.lang||void 0);return a`<span class="timer ${e<=mr?"soon":""}" role="timer" aria-live="off"
      title=${this.#a("expiresAt",{time:n})}>${k.clock}${this.#a("expiresIn",{time:Dn(e)})}</span>`}#w=e=>{let{url:n,context:i}=this.#e,r=qt(n,this.#m());if(!r)return e.preventDefault();this.#r=void 0,this.#s=r.foreign||Fn(r.href)?"opened":"blocked",this.requestUpdate(),r.foreign&&i.trigger==="mcp_elicitation"&&i.settledBy!=="page"&&this.#p("accept")};#k=e=>{let n=e.data;!this.pending||n?.type!=="parley:settled"||n.elicitationId!==this.#e?.elicitationId||e.origin===new URL(this.#m()).origin&&(this.#s="confirming",this.requestUpdate(),this.#T("parley-hint",{elicitationId:n.elicitationId}))};#x=e=>{e.preventDefault();let{content:n,errors:i}=wt(this.#t??[],this.#n,this.#a);this.#_(i)||this.#p("accept",n)};#_(e){this.#i=e;let n=Object.keys(e).length>0;return n&&this.#A(),n}#R(e){let[n,...i]=this.#t??[],r=m=>wt(i.filter(m),this.#n,this.#a),{content:s}=r(m=>m.kind==="choice"&&!O(m)),o=e==="always_allow";if(e==="allow_once"&&Object.keys(s).length>0){let m=n?.options.find(h=>h.value==="always_allow")?.label??this.#a("always_allow");return this.#r=this.#a("limitsUnused",{always:b(m)}),this.requestUpdate()}let d=o||e==="allow_once"||e==="changed",l=r(m=>d?O(m):m.kind==="string"&&!O(m));if(d&&this.#_(l.errors))return;let p={...o&&s,...l.content,decision:e};this.#p("accept",p,Ct(this.#t??[],p))}#A(){this.#r=this.#a("answerInvalid");let e=this.#t?.findIndex(n=>n.name in this.#i)??-1;e>=0&&(this.#c=xn({id:`field-${e}`,field:this.#t[e]})),this.requestUpdate()}#f(e){let n=[];for(let{field:i,message:r}of e)this.#t?.some(s=>s.name===i)?this.#i[i]=r:n.push(r);return n}async#p(e,n,i){if(this.#s==="sending"||!this.pending)return;let{elicitationId:r}=this.#e,s={elicitationId:r,action:e,...n&&{content:n}},o=this.#s;if(this.#s="sending",this.#r=void 0,this.#o={answered:!0,watched:!0,decision:this.#v()==="approval"?String(n?.decision):void 0,chosen:i},this.requestUpdate(),!this.#T("parley-answer",s)||!this.endpoint)return;let d=()=>this.#e?.elicitationId===r;try{await jn(this.endpoint,{base:"",token:this.token,getToken:this.getToken},this.conversation??"",s)}catch(l){d()&&this.#P(l,o);return}d()&&this.#u({action:e}),this.#T("parley-answered",s)}#g(e){this.#s=e,this.#o={answered:!1,watched:!0}}#P(e,n){this.#g(n);let i=e instanceof re?e.status:0;if(e instanceof re&&i===400){let r=this.#f(e.fields);this.#A(),(r.length>0||e.fields.length===0)&&(this.#r=r.join(" ")||e.said||this.#a("answerFailed"))}else i===409?this.#u("elsewhere"):i===410?this.#u({action:"expire"}):i===401?this.#r=this.#a("answerSignedOut"):i===403||i===404?this.#r=this.#a("answerForbidden"):this.#r=this.#a(i===0?"answerUnreachable":"answerFailed");this.requestUpdate(),this.#T("parley-refused",{elicitationId:this.#e.elicitationId,status:i})}#T(e,n){return this.dispatchEvent(new CustomEvent(e,{bubbles:!0,composed:!0,cancelable:e==="parley-answer",detail:n}))}updated(){let e=this.#c;this.#c=void 0,e&&this.renderRoot.querySelector(`#${e}`)?.focus()}};customElements.define("parley-question",st);customElements.define("parley-inbox-many",Ge);customElements.define("parley-inbox-questions",et);customElements.define("parley-inbox-history",Ke);customElements.define("parley-inbox-connections",Be);customElements.define("parley-inbox-permissions",Ze);customElements.define("parley-inbox",qe);
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
